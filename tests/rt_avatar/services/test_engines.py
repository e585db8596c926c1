"""What a server's engines do to the process they are loaded into."""

import cv2
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from rt_avatar.config.settings import Settings
from rt_avatar.services.engines import Engines

pytestmark = pytest.mark.unit


def test_engines_calculate_on_threads_of_ours_alone():
    threads = cv2.getNumThreads()
    cv2.setNumThreads(2)
    with threadpool_limits(2, user_api="blas"):  # as in a fresh process with two cores
        Engines(Settings()).close()
        found = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
        assert set(found) == {1}
        assert cv2.getNumThreads() == 1
    cv2.setNumThreads(threads)
