"""The kinds of difference in one place that make two facts of two texts, and what makes none."""

import pytest

from mnemo.text.contrast import find_contrasts

TENSE = [
    ("Marta lived in Porto", "Marta lives in Porto"),
    ("Marta was a nurse in Porto", "Marta is a nurse in Porto"),
    ("Marta had a boat in Porto", "Marta has a boat in Porto"),
    ("Marta wrote the report", "Marta writes the report"),
    ("Marta has worked for the port", "Marta works for the port"),
    ("Marta did not sail", "Marta does not sail"),
    ("Marta didn't sail", "Marta doesn't sail"),
    ("The pump was running at night", "The pump is running at night"),
    ("她以前住在杭州", "她住在杭州"),
    ("她曾经住在杭州", "她住在杭州"),
    ("她将搬到杭州", "她搬到杭州"),
    ("她去过杭州", "她去杭州"),
]
FORMER = [
    ("她是公司的前总经理", "她是公司的总经理"),
    ("她是代理总经理", "她是总经理"),
    ("Bo is the ex-chair of the club", "Bo is the chair of the club"),
    ("Bo is the acting chair", "Bo is the chair"),
]
TAKEN_BACK = [
    ("The lake froze is a lie", "The lake froze"),
    ("It is false that the lake froze", "The lake froze"),
    ("Bo said the lake froze", "The lake froze"),
    ("Bo forgot to pay the rent", "Bo pays the rent"),
    ("湖结冰了是谣言", "湖结冰了"),
    ("小林忘记交房租", "小林交房租"),
    ("小林妹妹对花粉过敏", "小林对花粉过敏"),
]
QUANTITY = [
    ("Keep more than 3 copies", "Keep 3 copies"),
    ("Keep at least 3 copies", "Keep 3 copies"),
    ("Keep under 3 copies", "Keep 3 copies"),
    ("Keep up to 3 copies", "Keep 3 copies"),
    ("Keep 3+ copies", "Keep 3 copies"),
    ("Keep about 30 copies", "Keep 30 copies"),
    ("Keep the last 3 copies", "Keep 3 copies"),
    ("Answer within 3 hours", "Answer in 3 hours"),
    ("Answer before 5 on Monday", "Answer at 5 on Monday"),
    ("Answer until Monday", "Answer on Monday"),
    ("The rent rose 5 in May", "The rent rose to 5 in May"),
    ("The rent is 5 million", "The rent is 5"),
    ("The rent is 5%", "The rent is 5"),
    ("保留3份以上", "保留3份"),
    ("保留30多份", "保留30份"),
    ("内存大于8G", "内存8G"),
    ("内存不到8G", "内存8G"),
    ("内存至少8G", "内存8G"),
    ("内存约8G", "内存8G"),
    ("三点前交稿", "三点交稿"),
    ("三天内交稿", "三天交稿"),
    ("3点一刻交稿", "3点交稿"),
    ("3点15分交稿", "3点交稿"),
    ("房租涨了10%", "房租涨到10%"),
    ("桌子高一米零八", "桌子高一米八"),
    ("每隔3天浇水", "3天浇水"),
]
SIGNS = [
    ("Test that a != b", "Test that a = b"),
    ("Test that a >= b", "Test that a > b"),
    ("The line is 0 3 * * *", "The line is 0 3 * * 1"),
    ("The line is 0 3 * * *", "The line is 0 * 3 * *"),
    ("Pin it to ^1.2", "Pin it to 1.2"),
    ("Ignore !build", "Ignore build"),
    ("Use grep -v here", "Use grep -V here"),
    ("The pattern is \\d", "The pattern is \\D"),
    ("At most 10⁵ rows", "At most 105 rows"),
    ("The grade is A+", "The grade is A"),
    ("The power is 5 mW", "The power is 5 MW"),
]
WORDS = [
    ("Read about the universe", "Read about the university"),
    ("Stop the import jobs", "Stop the important jobs"),
    ("She plays the organ", "She plays the organization"),
    ("Feliz año nuevo", "Feliz ano nuevo"),
    ("The flag is off in production", "The flag is in production"),
    ("The letter was written by Bo", "The letter was written Bo"),
]
SCOPE = [
    ("Bo is unable to swim", "Bo is able to swim"),
    ("Bo is a non-smoker", "Bo is a smoker"),
    ("Everyone but Bo may enter", "Everyone may enter"),
    ("Nobody apart from Bo may enter", "Nobody may enter"),
    ("Bo no longer smokes", "Bo smokes"),
    ("Bo could swim", "Bo swims"),
    ("Bo alone may enter", "Bo may enter"),
    ("她吃不了虾", "她吃得了虾"),
    ("她吃不了虾", "她吃了虾"),
    ("甭联系客户", "联系客户"),
    ("工作日外可以停车", "工作日可以停车"),
    ("她喜欢虾吗", "她喜欢虾"),
    ("她是不是老师", "她是老师"),
    ("才能停车", "能停车"),
]


@pytest.mark.parametrize(
    ("left", "right"), [*TENSE, *FORMER, *TAKEN_BACK, *QUANTITY, *SIGNS, *WORDS, *SCOPE]
)
def test_one_small_difference_makes_another_fact(left: str, right: str) -> None:
    assert find_contrasts(left, right)
    assert find_contrasts(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Marta plays the piano", "Marta is playing the piano"),
        ("The city has parks", "The cities have parks"),
        ("The letter was written by Bo", "Bo wrote the letter"),
        ("Keep 3 copies", "Keep 3 copies on the shelf"),
        ("Open from 2008-2009", "Open from 2008 to 2009"),
        ("高162厘米", "高 162 cm"),
        ("等了5分钟", "等了 5 min"),
        ("Waits for 30 seconds", "Waits for 30 s"),
        ("第二章讲语法", "第 2 章讲语法"),
        ("她是一位画家", "她是画家"),
        ("Bo uses **only** tabs", "Bo uses only tabs"),
        ("* Bo uses tabs", "Bo uses tabs"),
        ("身高才一米六", "身高一米六"),
        ("The team uses Python and Go", "The team uses Go and Python"),
        ("冰箱里有苹果、香蕉和梨", "冰箱里有梨、香蕉和苹果"),
    ],
)
def test_another_form_notation_or_order_of_a_list_makes_none(left: str, right: str) -> None:
    assert find_contrasts(left, right) == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Run the tests and commit", "Commit and run the tests"),
        ("Bo drinks red wine and beer", "Bo drinks red beer and wine"),
        ("张三和李四的母亲来了", "李四和张三的母亲来了"),
        ("Bo and Al use Go and Rust respectively", "Al and Bo use Go and Rust respectively"),
        ("Merge Main and Dev into Live", "Merge Main and Live into Dev"),
    ],
)
def test_steps_and_what_belongs_to_one_item_keep_their_order(left: str, right: str) -> None:
    assert find_contrasts(left, right)
