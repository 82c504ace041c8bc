"""Names of topics as podcasts and directories write them (rules TP1, TP3)."""

from __future__ import annotations

import pytest

from feedward.topics.closed_list import NAME_CHARS, TOPICS, label_of, name_key, normal_topic, topic_key, topics_in


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("Technology", "technology"),
        ("TECH", "technology"),
        (" web   development ", "web-development"),
        ("Business:Marketing", "marketing"),
        ("Business: Nothing Known", "business"),
        ("News > Tech News", "technology"),
        ("Games & Hobbies/Automotive", "cars"),
        ("Health & Fitness", "health"),
        ("Health &amp; Fitness", "health"),
        ("Health &amp;amp; Fitness", "health"),
        ("health-fitness", "health"),
        ("society_culture", "society"),
        ("tv-film", "television"),
        ("K-12", "education"),
        ("UI - UX", "user-interface"),
        ("Arts, Food", "arts"),
        ("unknown thing, Food", "food"),
        ("Новости", "news"),
        ("ニュース", "news"),
    ],
)
def test_a_name_of_the_closed_list_becomes_its_id(name: str, topic: str) -> None:
    assert normal_topic(name) == topic


# Apple's lists of podcast categories, before and after 2019.
APPLE = """Arts|Books|Design|Fashion & Beauty|Food|Literature|Performing Arts|Visual Arts|Business|Business News|
Careers|Entrepreneurship|Investing|Management|Management & Marketing|Marketing|Shopping|Non-Profit|Comedy|
Comedy Interviews|Improv|Stand-Up|Education|Courses|Education Technology|Educational Technology|Higher Education|
How To|K-12|
Language Courses|Language Learning|Self-Improvement|Training|Fiction|Comedy Fiction|Drama|Science Fiction|
Games & Hobbies|Automotive|Aviation|Hobbies|Other Games|Video Games|Government|Government & Organizations|Local|
National|Regional|History|Health|Health & Fitness|Alternative Health|Fitness|Fitness & Nutrition|Medicine|
Mental Health|Nutrition|Self-Help|Sexuality|Kids & Family|Education for Kids|Parenting|Pets & Animals|
Stories for Kids|Leisure|Animation & Manga|Crafts|Games|Home & Garden|Music|Music Commentary|Music History|
Music Interviews|News|News & Politics|Daily News|Entertainment News|News Commentary|Politics|Sports News|Tech News|
Religion & Spirituality|Buddhism|Christianity|Hinduism|Islam|Judaism|Religion|Spirituality|Science|
Science & Medicine|Astronomy|Chemistry|Earth Sciences|Life Sciences|Mathematics|Natural Sciences|Nature|Physics|
Social Sciences|Society & Culture|Documentary|Personal Journals|Philosophy|Places & Travel|Relationships|Sports|
Sports & Recreation|Amateur|Baseball|Basketball|College & High School|Cricket|Fantasy Sports|Football|Golf|Hockey|
Outdoor|Professional|Rugby|Running|Soccer|Swimming|Tennis|Volleyball|Wilderness|Wrestling|Technology|Gadgets|
Podcasting|Software How-To|True Crime|TV & Film|After Shows|Film History|Film Interviews|Film Reviews|TV Reviews"""


@pytest.mark.parametrize("category", [each.strip() for each in APPLE.split("|")])
def test_every_category_of_podcasts_is_known_in_each_spelling(category: str) -> None:
    known = {topic.id for topic in TOPICS}
    slug = name_key(category).replace(" ", "-")

    assert normal_topic(category) in known
    assert normal_topic(slug) == normal_topic(category)


def test_an_unknown_name_stays_text() -> None:
    assert normal_topic("  Knitting\n Circles of Leeds ") == "Knitting Circles of Leeds"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\x00\x07", "\ud800"])
def test_an_empty_name_is_none(name: str) -> None:
    assert normal_topic(name) is None


@pytest.mark.parametrize(
    "name",
    ["Business:Marketing", "&#38;amp;amp;amp;amp;amp; x", "&\u200bamp; x", "x" * 5000, "a &am\u200bp;lt;b", "é" * 99],
)
def test_reading_a_name_twice_gives_the_same(name: str) -> None:
    once = normal_topic(name)

    assert once is not None
    assert len(once) <= NAME_CHARS
    assert normal_topic(once) == once


def test_labels_are_read_as_their_own_topic() -> None:
    assert {normal_topic(label_of(topic.id)) for topic in TOPICS} == {topic.id for topic in TOPICS}


def test_no_name_stands_for_two_topics() -> None:
    keys = [name_key(name) for topic in TOPICS for name in {name_key(each) for each in (topic.label, *topic.names)}]

    assert len(keys) == len(set(keys))


def test_a_list_in_one_text_is_several_topics() -> None:
    assert topics_in("Arts, Food;  Kites and Gliders") == ("arts", "food", "Kites and Gliders")


def test_words_that_choose_nothing_are_no_topics() -> None:
    assert topics_in("Uncategorized, 2024, General, , rss, " + "x" * 200) == ()


def test_spellings_of_an_unknown_topic_have_one_key() -> None:
    assert topic_key("Knitting Circles") == topic_key("knitting-circles") == "knitting circles"
    assert topic_key("!!!") == "!!!"
