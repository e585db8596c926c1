"""Units as they are written behind a number or a slash → one of it, many of it."""

import re
from typing import Final

# Behind a number: so many of them.
SCALES: Final = {
    "k": "thousand", "m": "million", "b": "billion", "t": "trillion", "mn": "million",
    "bn": "billion",
}  # fmt: skip

UNITS: Final[dict[str, tuple[str, str]]] = {
    "km": ("kilometer", "kilometers"), "cm": ("centimeter", "centimeters"),
    "mm": ("millimeter", "millimeters"), "nm": ("nanometer", "nanometers"),
    "Km": ("kilometer", "kilometers"), "KM": ("kilometer", "kilometers"),
    "kms": ("kilometer", "kilometers"),
    "kg": ("kilogram", "kilograms"), "mg": ("milligram", "milligrams"),
    "mcg": ("microgram", "micrograms"), "IU": ("international unit", "international units"),
    "\u00b5g": ("microgram", "micrograms"), "\u03bcg": ("microgram", "micrograms"),
    "mmol": ("millimole", "millimoles"),
    "mmHg": ("millimeter of mercury", "millimeters of mercury"),
    "g": ("gram", "grams"), "lb": ("pound", "pounds"), "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"), "fl oz": ("fluid ounce", "fluid ounces"),
    "fl. oz": ("fluid ounce", "fluid ounces"), "mi": ("mile", "miles"), "ft": ("foot", "feet"),
    "yd": ("yard", "yards"), "yds": ("yard", "yards"), "m": ("meter", "meters"),
    "ml": ("milliliter", "milliliters"), "mL": ("milliliter", "milliliters"),
    "dl": ("deciliter", "deciliters"), "dL": ("deciliter", "deciliters"),
    "l": ("liter", "liters"), "L": ("liter", "liters"), "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"), "KB": ("kilobyte", "kilobytes"),
    "kB": ("kilobyte", "kilobytes"), "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"), "TB": ("terabyte", "terabytes"),
    "Hz": ("hertz", "hertz"), "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"), "GHz": ("gigahertz", "gigahertz"),
    "mAh": ("milliampere hour", "milliampere hours"),
    "W": ("watt", "watts"), "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"), "V": ("volt", "volts"),
    "dB": ("decibel", "decibels"), "px": ("pixel", "pixels"),
    "fps": ("frame per second", "frames per second"), "ms": ("millisecond", "milliseconds"),
    "sec": ("second", "seconds"), "secs": ("second", "seconds"), "s": ("second", "seconds"),
    "min": ("minute", "minutes"), "mins": ("minute", "minutes"), "h": ("hour", "hours"),
    "hr": ("hour", "hours"), "hrs": ("hour", "hours"), "yr": ("year", "years"),
    "yrs": ("year", "years"),
    "mo": ("month", "months"), "mos": ("month", "months"),
    "wk": ("week", "weeks"), "wks": ("week", "weeks"),
    "mph": ("mile per hour", "miles per hour"),
    "kph": ("kilometer per hour", "kilometers per hour"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "kmh": ("kilometer per hour", "kilometers per hour"),
    "m/s": ("meter per second", "meters per second"),
    "m/s²": ("meter per second squared", "meters per second squared"),
    "m/s^2": ("meter per second squared", "meters per second squared"),
    "Mbps": ("megabit per second", "megabits per second"),
    "Gbps": ("gigabit per second", "gigabits per second"),
    "kcal": ("kilocalorie", "kilocalories"), "cal": ("calorie", "calories"),
    "km²": ("square kilometer", "square kilometers"), "m²": ("square meter", "square meters"),
    "m³": ("cubic meter", "cubic meters"), "sqft": ("square foot", "square feet"),
    "sq ft": ("square foot", "square feet"), "sq. ft": ("square foot", "square feet"),
    "sq m": ("square meter", "square meters"), "sq km": ("square kilometer", "square kilometers"),
    "sq mi": ("square mile", "square miles"), "°C": ("degree celsius", "degrees celsius"),
    "°F": ("degree fahrenheit", "degrees fahrenheit"), "°": ("degree", "degrees"),
    "℃": ("degree celsius", "degrees celsius"), "℉": ("degree fahrenheit", "degrees fahrenheit"),
}  # fmt: skip
UNITS_WRITTEN: Final = "|".join(
    sorted((re.escape(unit) for unit in UNITS), key=lambda unit: (-len(unit), unit))
)
# What stands behind a slash that is "per", as it is said.
PER: Final[dict[str, str]] = {
    unit: UNITS[unit][0]
    for unit in (
        "km", "kg", "mg", "g", "lb", "oz", "mi", "ft", "m", "ml", "mL", "dl", "dL", "l", "L",
        "GB", "MB", "TB",
        "sec", "s", "min", "h", "hr", "yr", "wk", "kWh", "m²", "sqft",
    )
} | {
    unit: unit
    for unit in (
        "second", "minute", "hour", "day", "night", "week", "month", "year", "person", "user",
        "head", "piece", "item", "page", "word", "session", "visit", "pound", "gallon", "liter",
        "litre", "mile", "hectare", "acre", "unit", "token", "call", "seat", "room", "ticket",
    )
} | {"mo": "month", "gal": "gallon"}  # fmt: skip
PER_WRITTEN: Final = "|".join(map(re.escape, sorted(PER, key=len, reverse=True)))
