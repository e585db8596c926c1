"""The one lexicon of emotion: what English words and phrases tell of a feeling.

``FEELINGS`` names the 32 emotions, for those who ask which of them somebody feels (the reasoners).
``TONES`` adds what names none of them and yet tells how pleasant and how excited somebody is, for
those who ask that with every partial transcript (perception). A cue that names a feeling has the
tone of that feeling (``FEELING_TONES``) and no other, so the two cannot contradict each other.

Written by hand; how well it does on EmpatheticDialogues is told by ``rt-avatar bench quality``.
"*" stands for any ending; apostrophes are left out ("cant wait").
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.engines.emotion_words import Fine
from rt_avatar.engines.types import Emotion

# --- the 32 feelings ----------------------------------------------------------------------------
# Each has four rows: cues that name it, that nearly say it, that suggest it, and that fit it. A cue
# may stand under several feelings; a phrase beats the shorter cues inside it only by adding to
# them.
ROW_WEIGHTS: Final = (4.0, 2.5, 1.5, 0.7)

FEELINGS: Final[Mapping[Fine, tuple[str, str, str, str]]] = {
    "surprised": (
        "surpris*, suprised, suprise*, astonished, astounded, taken aback",
        "shocked, unexpected*, threw me a, out of the blue, not expecting, wasnt expecting, "
        "didnt expect, never expected, off guard, no idea that, could not believe, "
        "couldnt believe my",
        "shock, shocking, couldnt believe, cant believe, birthday party, expecting, expect, wow, "
        "out of nowhere, speechless, stunned, i had no idea, parcel, showed up",
        "birthday, party, gift, present, won, received, mail, all of a sudden, suddenly, "
        "graduation, tickets, found, turned out",
    ),
    "excited": (
        "excited, exciting, excitement, stoked, pumped, psyched, hyped",
        "thrilled, so ready for, cruise, going to disney, cant contain",
        "cant wait, cannot wait, vacation, going to see, concert, this weekend, next month, "
        "disney*, vegas, new video game, finally going",
        "next week, beach, trip, tickets, game, tomorrow, super, weekend, visit, movie, travel*, "
        "flying, looking forward, super smash, new",
    ),
    "angry": (
        "angry, anger, mad, made me mad",
        "pissed*, cut me off, infuriat*, outraged, fuming",
        "upset, yelled at, yell*, dent, stole, stolen, road rage, lied to me, unfair, my fault, "
        "cheated me, slammed, fight, argument, argued, disrespect*, livid, furious",
        "traffic, fault, broke, blame, rude, hit my, boss, fired, frustrat*, their, bill, ruined, "
        "without asking, took my",
    ),
    "proud": (
        "proud, pride in, so proud of, honor roll",
        "graduated, accomplish*, first steps, first word, got straight as, dean's list, "
        "got into college, got accepted, valedictorian",
        "his first, her first, graduating, promoted, award, scored, achieve*, straight a*, medal, "
        "learned to, worked so hard, potty, degree, diploma, first place, won the, spelling bee",
        "son, daughter, goal, hard work, college, grade, team, niece, nephew, winning, finished, "
        "worked hard, report card, marathon",
    ),
    "sad": (
        "sad, sadness, saddened, sorrow, im down",
        "depress*, cried, crying, cry, miserable, unhappy, heartache, miss her, miss him, "
        "in tears, "
        "feeling down, feel down",
        "died, passed away, put down, put to sleep, death, bummed, funeral, lost my, ran away, "
        "moving away, losing, goodbye, miss my, i miss, cancer, ending, hospice",
        "dog, cat, pet, upset, hurt, sick, passed, broke up, alone, leave, divorce*, gone",
    ),
    "annoyed": (
        "annoy*, irritat*, irked, peeved, get on my nerves, my nerves, aggravat*",
        "bothers me, bothering, drives me crazy, driving me crazy, driving me nuts, inconsiderate, "
        "pet peeve, fed up, wont stop, inconvenien*",
        "frustrat*, keeps, hate when, hate it when, neighbors, noisy, loud, rude, nagging, "
        "constantly, over and over, ugh, barking, slow, interrupt*",
        "traffic, late, always, hate, stop, line, wait in, minutes, noise, asking, mess, roommate, "
        "pooped, rug, doesnt, coworker, still waiting, customer service, phone",
    ),
    "grateful": (
        "grateful*, thankful, gratitude, appreciative, so thankful",
        "blessed, helped me, appreciate*, offered to help, lucky to have, came to my rescue, "
        "returned my, saved me, lent me, there for me",
        "gave me, so glad, lucky, offered, supportive, kind of them, kindness, generous, for free, "
        "so kind, helpful, thanks to, paid for my, stranger",
        "help, helped, glad, bought me, luckily, support, broke down, wallet, cover, let me, "
        "parents, family, able to",
    ),
    "lonely": (
        "lonely, loneli*, lonesome, so alone, all alone, isolated",
        "by myself, no friends, no one to talk, nobody to talk, being alone, feel alone, "
        "left out, ditched, dont know anyone, no one to, nobody to, have no one",
        "alone, moved to, new city, quiet house, empty house, dont have anyone, broke up, "
        "any friends, bored, live alone, without him, without her, out of town, far away, single, "
        "miss my, nobody",
        "myself, moved, empty, quiet, miss, friends, no one, hang out, company, left me, town, "
        "without",
    ),
    "afraid": (
        "afraid, fear, fearful, fears, phobia",
        "scared, scares, scary, frighten*, freaked out, freaked me, creepy, creeped, spooked",
        "terrified, dark, haunted, ghost, noises, spider*, snake*, walking home, home alone, "
        "being followed, following me, heights, horror, nightmare*, break in, tornado, "
        "storm, thunder, earthquake, the dentist",
        "night, alone, heard, window, walking, sleep, noise, worried, neighborhood, lights, "
        "flying, "
        "hurricane, shark, accident",
    ),
    "terrified": (
        "terrif*, petrified, scared to death, scared the, scared for my life, horrified",
        "scared me, scare me, so scared, scream*, gun, robbed, panic*, frightened, chased, "
        "attacked, shaking, roller coaster*, broke into, break into, jumped out",
        "scared, scary, snake*, ghost, haunted, horror, tornado, earthquake, spider*, bear, "
        "attack, "
        "intruder, burglar, heard a, footsteps, knife, shooting, someone was, almost died, nearly",
        "night, dark, house, window, noise, loud, crash, middle of the night, death, afraid, bang, "
        "plane, door, storm, outside",
    ),
    "guilty": (
        "guilt*, feel bad, felt bad, felt so bad, feel so bad, feel terrible, felt terrible",
        "regret*, i lied, i stole, my conscience, shouldnt have, should not have, i cheated, "
        "remorse*, bad about, i feel awful, apologi*, sorry for what",
        "i forgot, blamed, lied, lied to, didnt tell, yelled at my, ate the last, hid it, "
        "i ate, my fault, stole, bad for, i snapped, never told, broke my promise, by accident",
        "accidentally, bad, forgot, took, instead of, should have, cookies, cake, candy, money "
        "from, borrowed, ashamed",
    ),
    "impressed": (
        "impress*, in awe, awe, admir*",
        "amazed, amazing, talent*, blown away, incredible, so skilled, inspir*, by how, "
        "respect for",
        "how good, how well, at how, lebron, wow, could do, so good at, unbelievable, brilliant, "
        "performance, did such a, magic trick, skill*, outdone, whole pizza",
        "watched, saw, guy, watching, cool, entire, man, show, lost weight, lbs, restaurant, "
        "himself, played, drawing, painting, singing",
    ),
    "disgusted": (
        "disgust*, gross, grossed, nasty, yuck, ew, eww, repuls*, revolt*, nauseat*",
        "vomit*, threw up, throw up, puke*, puked, poop, stepped in, maggot*, rotten, stink*, "
        "mold, "
        "moldy, hair in my, hair in, cockroach*, roach*, made me sick, makes me sick, stench",
        "smell, smelled, smelly, picking, spit, urine, pee, diarrhea, garbage, dead, filthy, "
        "dirty, "
        "boogers, squid, feces, worms, rat, rats, bug in, sweaty, farted, gag*",
        "trash, food, restaurant, nose, toilet, bathroom, clean, eat, saw, hair, mouth, sick, "
        "everywhere, floor, fridge, ate",
    ),
    "hopeful": (
        "hopeful*, optimis*, fingers crossed, fingers are crossed, my hopes up",
        "hoping, pray*, applied for, wish me luck, have a good feeling, keeping my fingers",
        "hope, i hope, applied, win the lottery, lottery, positive, will get better, good things, "
        "hear back, the future, work out for, getting better, chance",
        "will be, new job, interview, wishing, want, a better, this year, going to be, maybe, "
        "soon, win",
    ),
    "confident": (
        "confiden*, self assured, i know i will, nailed it, going to ace",
        "i am sure, im sure, pretty sure, certain that, ace, aced, will win, do well, i got this, "
        "believe in myself, no doubt",
        "i knew i, good about, do great, studied hard, studied, will do, i can do, pass my, "
        "very well, my abilities, easily, killed it, breeze",
        "sure, test, interview, exam, knew, know i, practic*, prepared, win, suit, haircut, final, "
        "qualified, did well, great",
    ),
    "furious": (
        "furious*, livid, enraged, rage, so pissed, so angry, seething, outraged, fuming",
        "so mad, pissed*, keyed my, slashed, vandal*, want to kill him, want to kill her, "
        "lost it, boiling",
        "mad at, angry, mad, screamed at, stole my, cheating on me, hit my car, dent, betrayed, "
        "punch*, destroyed, broke into, ruined my, wrecked",
        "car, someone, parking, stole, police, charged, boyfriend, crashed, insurance, at her, "
        "speeding, scratched, lied, drunk",
    ),
    "anxious": (
        "anxious, anxiety, nerve wracking, nerve racking, on edge",
        "nervous, so nervous, stressed, stressful, worried, worrying, worry, panic attack, "
        "test results, butterflies, freaking out, overwhelm*, tense",
        "surgery, waiting for the results, results, presentation, interview, speech, deadline, "
        "doctor, doctors, appointment, my blood, what if, cant sleep, big test, in front of",
        "exam, test, tomorrow, waiting, monday, upcoming, first day, date, hear back, bills, "
        "flight, driving, health",
    ),
    "anticipating": (
        "anticipat*, looking forward",
        "cant wait for, cannot wait for, wait until, wait till, counting down, cant wait until, "
        "waiting for the, football season, comes out, coming out, release, preorder*",
        "cant wait, cannot wait, wait to see, waiting, arrive, upcoming, next season, new season, "
        "been waiting, start of, in december, premiere, starts",
        "wait, season, next, coming, soon, arrival, christmas, ordered, vacation, next week, "
        "football, holidays, excited, game, due",
    ),
    "joyful": (
        "joy*, overjoyed, elated, delighted, ecstatic, happiest",
        "so happy, very happy, happy when, was born, bliss*, best day, i was happy, im happy, "
        "cheerful, over the moon",
        "happy, pregnant, wedding, good news, approved, won, wonderful, engaged, reunited, "
        "newborn, the best, laughing, dancing, a baby, so much fun, great day",
        "finally, baby, weekend, christmas, beautiful, fun, family, playing, love, kids, great, "
        "visiting, spend time, raise, excited",
    ),
    "nostalgic": (
        "nostalgi*, good old days, the old days, those were the days, childhood memories, wistful",
        "my childhood, childhood, used to, memories, brought back, brings back, back in the day, "
        "remember when, reminisc*, the good old, simpler time*, when i was a kid, old times",
        "i remember, reminded me, reminds me, i miss those, miss the, when i was young, "
        "old photo*, "
        "old pictures, yearbook, old friends, growing up, high school, those days, younger, "
        "the 90s, "
        "good times",
        "old, kid, miss, photos, album*, songs, school, years ago, remember, back then, toys",
    ),
    "disappointed": (
        "disappoint*, let down, let me down, bummer, dissapoint*, ever trust, trust him again, "
        "trust her again, trust them again, trust anyone again, trust anybody again",
        "didnt get the, cancelled, canceled, was hoping, bummed, had to cancel, got my hopes, "
        "really wanted, fell through, turned me down, flaked, stood me up, overlooked",
        "was expecting, supposed to, i thought i, didnt get, failed, not as good, wasnt as, "
        "not what i, wanted to, promised, passed over, sold out, rained, rejected, backed out",
        "upset, sad, but, wanted, thought, didnt, plans, instead, unfortunately, promotion, forgot "
        "my birthday, wasnt, couldnt, expected, guess",
    ),
    "prepared": (
        "prepared, prepare*, preparing, im ready, i am ready, was ready",
        "ready for, ready to, packed, supplies, stocked up, stock up, in advance, studied for, "
        "everything ready, got everything, all set, have everything, flashlights, planned out, "
        "meal prep*, in case",
        "ready, studied, been studying, studying, practic*, checklist, made a list, hurricane, "
        "generator, canned, bags, ahead of time, organized, emergency, research",
        "everything, test, exam, list, storm, camping, make sure, plan, planning, interview, trip, "
        "extra, saved up, all week",
    ),
    "jealous": (
        "jealous*, envious, envy, envi*",
        "wish i had, i wish i could, than me, why not me, i want one, instead of me, "
        "i wish that was me, better looking, got the promotion",
        "wish i, just bought a, brand new, my friend just, my friend got, got a new, flirt*, "
        "can afford, talking to another, got engaged, coworker got, attention, so lucky, rich, has "
        "everything",
        "wish, than, new car, coworker, friend, brother, sister, promotion, bought, smart, "
        "girlfriend, boyfriend, ex, vacation",
    ),
    "content": (
        "content, contented, contentment, satisf*, at peace, at ease",
        "relaxing, relaxed, my life is, life is good, happy with, peaceful, comfortable with, "
        "nothing to complain, going well, good place, ok with, calm, serene, cozy",
        "relax, sun is, shining, peace, nice day, quiet evening, read a book, a good book, "
        "everything is, sit on, cup of coffee, netflix, nice meal, curled up, settled, things are",
        "nice, life, happy, enjoy*, right now, reading, book, meal, park, comfortable, sitting, "
        "home, dinner, lovely, bed, finally, breeze, rest",
    ),
    "devastated": (
        "devastat*, heartbroken, heart broken, broke my heart, crushed, shattered, my world",
        "passed away, died, killed, tragic, lost everything, burned down, destroyed, miscarr*, "
        "suicide, inconsolable, left me for",
        "cancer, car accident, lost my, heart attack, house fire, cheating on me, cheated on me, "
        "divorce*, death, fire, diagnosed, wrecked, laid off, dumped, grief, stroke, fired",
        "grandmother, grandma, father, mother, dog, lost, sad, accident, hurt, worst, hospital, "
        "horrible, ruined, broke up, years",
    ),
    "embarrassed": (
        "embarras*, embaras*, mortif*, humiliat*, awkward",
        "tripped, my pants, laughed at me, laughing at me, in front of everyone, fart, farted, "
        "fell down, face turned red, turned red, blush*, everyone saw, my fly, wet myself, "
        "looked stupid, fell in front",
        "slipped, spilled, front of, wrong person, forgot my, forgot the words, stumbl*, "
        "in public, everyone was looking, ripped, wanted to hide, zipper, idiot, dumb, fell, "
        "toilet paper, my shirt",
        "face, laughed, everyone, accidentally, stupid, didnt realize, dress, people, crowd, "
        "wearing, "
        "hide, mistake, on stage",
    ),
    "caring": (
        "caring, cared for, taking care of, take care of, took care of, care for my",
        "nurse him, nursing, helping my, look after, looking after, check on, took in, rescued, "
        "adopted, comfort her, comfort him, shelter, made him soup, volunteer*, feeding",
        "care, sick, kitten, stray, homeless, elderly, to help, help her, help him, needed help, "
        "make sure he, make sure she, donat*, brought her, brought him, visit her, injured",
        "love my, pet, pets, her, him, grandma, mother, animals, wife, sweet, baby, support, "
        "loved, "
        "cat, needs",
    ),
    "sentimental": (
        "sentiment*, sentimental value, emotional, heirloom",
        "grandfathers, grandmothers, keepsake, attached to, means a lot, meant a lot, old letters, "
        "so special, passed down, necklace, tear up, teared up, touched",
        "memories, pictures of, old pictures, photos, old photos, looking through, going through, "
        "came across, reminds me, reminded me, wedding video, baby pictures, growing up so, "
        "box of, cleaning out, used to wear, he gave me, she gave me, my old, wedding",
        "old, miss, found, picture, ring, grandfather, grandmother, box, watch, keep, time flies, "
        "baby, kids, moved, used to, letter",
    ),
    "trusting": (
        "trust, trusted, trusting, trusts, have faith in, had faith in",
        "rely on, count on, relied on, depend on, believe him, believe her, lent, loaned, "
        "believe in him, believe in her, trustworthy, my secret, confide*, house keys, to borrow",
        "faith, let my, i let, borrow, watch my, believed, secret, honest, knew he would, "
        "knew she would, leap of faith, babysit*, pay me back, promise*, stranger, blind*",
        "friend, he would, my car, help, knew, money, advice, mechanic, surgeon, alone with",
    ),
    "ashamed": (
        "ashamed, shame, shameful, disgrace*, embarrassed of myself",
        "failed my, i failed, i cheated, lied to, of myself, got caught, hate myself, "
        "disappointed in myself, i stole, got drunk, dui, cheated on my, i ate a whole, binge*",
        "i ate, ate the whole, i lied, stole, diet, relapse*, i shouldnt, bad grade, "
        "a whole, lost control, peed, yelled at, shoplift*, porn, weight, told anyone, my behavior",
        "feel, felt, bad, cookies, ended up, wrong, terrible, awful, myself, ate, money, "
        "embarrass*, control, drunk, accidentally",
    ),
    "apprehensive": (
        "apprehens*, hesitant, unsure, uneasy, reluctant, wary, skeptical",
        "not sure if, dont know if, nervous to, second thoughts, on the fence, "
        "what to expect, should i, worried about, iffy, or not, if i should, having doubts",
        "nervous, nervous about, job offer, not sure, a little nervous, bit nervous, "
        "about going, starting, "
        "scared to, afraid to, i dont know what, moving to, new school, blind date, invited, "
        "decision, "
        "decide, first time",
        "worried, if i, should, about, interview, new job, going, anxious, afraid, but im, choice, "
        "scary, big change, move",
    ),
    "faithful": (
        "faithful*, loyal, loyalty, never cheated, never cheat, would never cheat, fidelity",
        "committed to, cheat on, been married, turned her down, turned him down, to cheat, "
        "i would never, devoted, stayed with, stick by, stuck with, remain",
        "temptation, tempted, flirting with me, marriage, married, hit on me, through thick, "
        "relationship, in a relationship, no matter what, church, god, my partner, asked me out",
        "wife, husband, girlfriend, love my, always been, kiss, years, always, believe in, fiance, "
        "partner, through, promise",
    ),
}

# --- tones --------------------------------------------------------------------------------------
# Weights: only this makes one say it; clear; merely fits.
STRONG: Final = 1.3
CLEAR: Final = 1.0
HINT: Final = 0.35
# Valence and arousal, -1 to 1, and weight of the cues that name a feeling. Values are rounded to
# 0.1, finer would be pretence.
# Source of the layout: J. A. Russell, "A circumplex model of affect", JPSP 39 (1980).
FEELING_TONES: Final[Mapping[Fine, tuple[float, float, float]]] = {
    "surprised": (0.2, 0.8, CLEAR), "excited": (0.8, 0.5, CLEAR), "angry": (-0.6, 0.6, CLEAR),
    "proud": (0.8, 0.5, CLEAR), "sad": (-0.7, -0.4, CLEAR), "annoyed": (-0.6, 0.6, CLEAR),
    "grateful": (0.6, -0.3, CLEAR), "lonely": (-0.7, -0.4, CLEAR), "afraid": (-0.6, 0.5, CLEAR),
    "terrified": (-0.8, 0.8, STRONG), "guilty": (-0.7, -0.4, CLEAR), "impressed": (0.5, 0.6, CLEAR),
    "disgusted": (-0.7, 0.3, CLEAR), "hopeful": (0.6, -0.3, CLEAR), "confident": (0.5, 0.1, HINT),
    "furious": (-0.8, 0.8, STRONG), "anxious": (-0.6, 0.5, CLEAR),
    "anticipating": (0.8, 0.5, CLEAR), "joyful": (0.8, 0.5, CLEAR), "nostalgic": (-0.2, -0.3, HINT),
    "disappointed": (-0.7, -0.4, CLEAR), "prepared": (0.4, 0.1, HINT),
    "jealous": (-0.6, 0.1, CLEAR), "content": (0.6, -0.3, CLEAR),
    "devastated": (-0.9, -0.2, STRONG), "embarrassed": (-0.4, -0.2, HINT),
    "caring": (0.5, 0.1, HINT), "sentimental": (-0.2, -0.3, HINT), "trusting": (0.5, 0.1, HINT),
    "ashamed": (-0.7, -0.4, CLEAR), "apprehensive": (-0.6, 0.5, CLEAR),
    "faithful": (0.5, 0.1, HINT),
}  # fmt: skip
# Cues that name none of them: emotion, valence, arousal, weight, cues ("_" stands for a space).
TONES: Final[tuple[tuple[Emotion, float, float, float, str], ...]] = (
    ("happy", 0.9, 0.7, STRONG,
     "thrill* euphori* cant_wait over_the_moon best_day dream_come_true blown_away "
     "on_top_of_the_world"),
    ("happy", 0.8, 0.5, CLEAR,
     "happy happi* joy joyful* joyous excit* cheerful* celebrat* glad fantastic wonderful* "
     "awesome amazing brilliant yay hooray woohoo prouder loved_it love_it i_love engaged won "
     "laugh* fun so_good good_news great_news passed_my got_the_job well_done hilarious "
     "delight"),
    ("happy", 0.6, -0.3, CLEAR,
     "grateful relie* peaceful* relaxed calm blessed thank_goodness comfort* hopeful"),
    ("happy", 0.5, 0.1, HINT,
     "good great nice lovely beautiful enjoy* love loves like_it perfect cool sweet better "
     "best thanks thank smil* glow* success* lucky fine okay_now hope hoping pleas* "
     "congratulat* birthday wedding promoted holiday vacation graduat* no_problem "
     "dont_worry not_bad interesting confident excellent"),
    ("sad", -0.9, -0.2, STRONG,
     "heartbr* grief grieving griev* depress* miserabl* hopeless* despair* passed_away funeral "
     "bereave* suicid* broke_up breakup worthless cant_go_on died widow*"),
    ("sad", -0.7, -0.4, CLEAR,
     "sadder sadly unhappy alone cry crying cried tears sorrow* gloom* melanchol* hurt hurts "
     "hurting heavy_hearted miss_him miss_her miss_them miss_you discourag* regret* empty numb "
     "feeling_down feel_down down_lately left_me lost_my lost_him lost_her give_up giving_up "
     "homesick rejected failed failure heartache mourn* i_miss"),
    ("sad", -0.5, -0.6, CLEAR,
     "exhausted tired weary worn_out burned_out burnt_out drained no_energy cant_sleep"),
    ("sad", -0.4, -0.2, HINT,
     "sorry unfortunate* alas bad badly worse worst awful rough hard difficult struggl* fail "
     "sick ill hospital cancer divorce* fired laid_off lost trouble* bored boring embarrass* "
     "wish pain painful problem* ache* nobody low poor* dead dies dying not_great upset"),
    ("angry", -0.8, 0.8, STRONG,
     "furious raging outrag* hate hated hates fed_up sick_of cant_stand pissed infuriat* "
     "how_dare"),
    ("angry", -0.6, 0.6, CLEAR,
     "angri* frustrat* unfair ridiculous unacceptable unbelievable_that resent* hostil* yell* "
     "shout* scream* argu* betray* lied_to cheated ripped_off damn stupid idiot* shut_up "
     "drives_me getting_on_my_nerves bother* unjust insult*"),
    ("fear", -0.8, 0.8, STRONG,
     "panic* horrif* nightmare* freaking_out freak_out dread*"),
    ("fear", -0.6, 0.5, CLEAR,
     "scared scary fearful* frighten* anxi* worri* worry* nervous* stress* overwhelm* tense "
     "threat* insecure cant_breathe shaking apprehensi* helpless* unsafe"),
    ("fear", -0.3, 0.3, HINT,
     "danger* risk* uncertain exam exams surgery operation interview doubt* what_if deadline* "
     "pressure concern*"),
    ("surprised", 0.2, 0.8, CLEAR,
     "shock* astonish* amazed astound* stunned startl* unbelievable incredible wow whoa "
     "oh_my_god omg no_way cant_believe speechless out_of_nowhere never_expected didnt_expect "
     "guess_what"),
    ("surprised", 0.1, 0.4, HINT,
     "sudden* unexpected* really_did seriously wait_what weird strange"),
    ("disgusted", -0.7, 0.3, CLEAR,
     "nause* vomit* filthy vile sickening creepy makes_me_sick rotten throw_up"),
    ("contempt", -0.6, 0.1, CLEAR,
     "pathetic contempt* despis* scorn* beneath_me loser* smug arrogant laughable "
     "looks_down_on hypocrit* what_a_joke"),
)  # fmt: skip
