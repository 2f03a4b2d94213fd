"""Words that stand for each other in every sentence of a fact.

A short list of exact synonyms, no thesaurus: what differs in shade or degree, or names a kind of
the other, is not here. English words stand as inflected; units of measure are notation
(`numerals.py`). What must hold: no word stands under two keys.
"""

from typing import Final


def _listed(key: str, words: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), key)


SYNONYMS: Final = {
    **_listed("i", "i me my mine myself 我 我的"),
    **_listed("we", "we us our ours 我们 咱们"),
    **_listed("you", "you your yours 你 您"),
    **_listed("mother", "mother mom mum mama 母亲 妈妈 妈"),
    **_listed("father", "father dad papa 父亲 爸爸 爸"),
    **_listed("child", "child children kid kids 孩子 小孩 儿童"),
    **_listed("woman", "woman women lady ladies"),
    **_listed("man", "man men"),
    **_listed("person", "person people persons someone somebody 人 有人"),
    **_listed("phone", "phone telephone 电话 手机号 手机号码 电话号码 联系电话"),
    **_listed("email", "email emails e-mail mail 邮箱 电子邮箱 邮件地址 电子邮件 邮箱地址"),
    **_listed("address", "地址 住址"),
    **_listed("name", "名字 姓名"),
    **_listed("hometown", "家乡 老家 故乡"),
    **_listed("birthday", "生日 出生日期"),
    **_listed("job", "工作 上班 任职 就职"),
    **_listed("employer", "单位 工作单位"),
    **_listed("like", "like likes liked enjoy enjoys 喜欢 喜爱 爱 热爱"),
    **_listed("prefer", "prefer prefers preferred 偏好 偏爱 更喜欢"),
    **_listed("use", "use uses using utilize utilise 使用 采用"),
    **_listed("become", "become becomes became 成为 成"),
    **_listed("live", "住 居住 住在"),
    **_listed("begin", "begin begins begun began start starts started 开始"),
    **_listed("big", "big large 大"),
    **_listed("small", "small little 小"),
    **_listed("repository", "repo repos repository repositories 仓库 代码库"),
    **_listed("database", "db database databases 数据库"),
    **_listed("configuration", "config configs configuration configurations 配置"),
    **_listed("documentation", "docs doc documentation document 文档"),
    **_listed("directory", "dir directory folder 目录 文件夹"),
    **_listed("app", "app apps application applications 应用 应用程序"),
    **_listed("photo", "photo photograph picture"),
    **_listed("car", "car automobile"),
}
