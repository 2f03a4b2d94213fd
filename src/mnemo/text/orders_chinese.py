"""Orders to a model in Chinese: how their clauses begin, their verbs and what they are aimed at."""

from typing import Final

from mnemo.text.orders import CONFIDENT, LIKELY, Rule, any_of

# Where what is sent away goes.
_AWAY: Final = r"(?:https?://|[\w.+-]+@|[\w-]+\.(?:com|net|io|org|xyz|ru|cn)\b)"

STARTS: Final = (
    r"(?:^|(?<=[.!?;:,\s，。！？；：、“「『\"'（(>\]*—-]))(?:"
    + any_of("""
        请|请你|现在|立即|立刻|马上|务必|必须|你必须|需要|你需要|应该|你应该|要|你要|接下来|从现在开始|从现在起
        然后|并|并且|同时|首先|注意：|重要：|系统：|，|,|直接
    """)
    + r"\s?){0,4}"
)
_OLD: Final = any_of("""
    以上|之前|前面|上面|先前|此前|上述|上文|前述|以前|原有|原来|原本|最初|刚才|既有|现有
""")
_ORDERS: Final = any_of("""
    指令|指示|提示词|提示(?!音|框|符|灯|语|信息)|命令(?!行)|[Pp]rompt|系统提示|系统消息|系统设定|instructions?
""")
_RULES: Final = any_of(f"{_ORDERS}|规则|设定|要求|约束|限制|准则|对话|内容|训练|安全策略")
_FILL: Final = any_of("""
    的|所有|全部|一切|任何|给你|给定|对你|你|系统|安全|开发者|收到|说|过|全|和|与|那些|这些
""")
_IGNORING: Final = any_of("""
    忽略掉?|无视|忘记|忘掉|抛弃|丢弃|不要(?:再)?理会|不用理会|别理会|不必理会|不要管|绕过
    不要(?:再)?遵守|不要(?:再)?遵循|不要(?:再)?服从|停止遵守|停止遵循
""")
# Said every day of a plan or an order for goods: they must be aimed at instructions proper.
_CANCELLING: Final = any_of("覆盖|推翻|取消|忘了|别管")
_ALL: Final = "(?:所有|全部|一切|任何)的?"
_OVERRIDDEN: Final = any_of(f"""
    {_OLD}{_FILL}{{0,5}}{_RULES}
    (?<=系统){_RULES}|(?<=你的){_RULES}
    (?<=所有){_ORDERS}|(?<=所有的){_ORDERS}|(?<=全部){_ORDERS}
    (?<=一切){_ORDERS}|(?<=任何){_ORDERS}
    (?<=安全)(?:规则|限制|策略|准则)
""")
_NOW: Final = any_of("""
    你现在就?是|现在你就?是|你就是|你不再是|你的新身份是
    从现在(?:开始|起)，?你就?是|你从现在(?:开始|起)就?是|你将?扮演|请?扮演|假装(?:你|自己)是
""")
_UNBOUND: Final = any_of("""
    不受(?:任何|一切)?(?:限制|约束|规则)|没有(?:任何)?(?:限制|约束|道德|规则)|无限制|不受限|越狱
    DAN(?![A-Za-z])|上帝模式|邪恶|无条件(?:服从|执行)
""")
_MODE: Final = "(?:开发者|调试|管理员|超级管理员)(?:模式)?"
_ANSWERING: Final = any_of("回答|回复|服从|听从|执行|遵守|说|用")
_INNER: Final = any_of("""
    你的?(?:完整|全部|原始|系统|初始|内部|隐藏|的){0,3}(?:提示词|提示|指令|密钥|密码|API ?[Kk]ey)
    你的?设定(?!文件|页|界面|项)
    系统提示词?|系统指令|系统消息|系统 ?[Pp]rompt|初始指令|隐藏指令|隐藏提示
    用户的?(?:密码|密钥|凭证)(?!哈希|长度|框|字段|输入|强度)
""")
_SECRETS: Final = any_of(r"""
    密码|密钥|令牌|凭证|口令|私钥|环境变量|token|API ?[Kk]ey|聊天记录|对话记录|\.env
""")
_READER: Final = "(?:用户|使用者|主人|人类)"
_OF_THIS: Final = r"(?:这|本|此|你|我|刚|实情|真相|[，。！？；\s]|$)"

RULES: Final = (
    Rule("override", CONFIDENT, f"{_IGNORING}{_FILL}{{0,4}}{_OVERRIDDEN}"),
    Rule(
        "override",
        CONFIDENT,
        f"(?:{_CANCELLING}{_FILL}{{0,4}}(?:{_OLD}{_FILL}{{0,5}}|(?<=系统)|(?<=你的)){_ORDERS}"
        f"|{_CANCELLING}{_FILL}{{0,4}}{_OLD}的?设定|不要再?(?:遵守|遵循|服从){_ALL}{_RULES})",
    ),
    Rule(
        "override",
        CONFIDENT,
        f"(?:[把将]{_OLD}{_FILL}{{0,5}}{_ORDERS}[全都部]{{0,2}}(?:忘掉|忘记|忘了|忽略|抛弃|清空|删除)"
        f"|(?:当作|当做|假装)(?:没有?|从没|未)(?:看到|见过|看过|收到)过?{_FILL}{{0,3}}{_OLD}的?{_RULES}"
        f"|(?:{_OLD}|你)的?(?:所有|全部)?{_ORDERS}(?:[全都均已]|全部|已经|一律){{0,2}}(?:作废|失效|无效))",
    ),
    Rule("new role", CONFIDENT, f"{_NOW}[^。！？\n]{{0,12}}?(?:{_UNBOUND}|{_MODE})"),
    Rule(
        "new role",
        CONFIDENT,
        f"(?:进入|切换到|开启|激活)(?:{_UNBOUND}|{_MODE}[，,]?(?:{_ANSWERING}|忽略|输出))",
    ),
    Rule(
        "new role",
        LIKELY,
        f"{_NOW}[^。！？\n]{{1,30}}?[，,；;]?(?:只能|必须|一律|只会|只|永远){_ANSWERING}",
    ),
    Rule(
        "secrecy",
        CONFIDENT,
        f"{any_of('不要|别|不准|不得|切勿|禁止|千万别|千万不要|绝不|绝不能|不许|不可|不能|不用')}"
        f"[^，。！？\n]{{0,8}}?{any_of('告诉|告知|透露给|泄露给|通知|提醒|让|向')}{_READER}"
        f"(?:知道|发现|察觉|说|提及|透露|提起)?{_OF_THIS}",
    ),
    Rule(
        "secrecy",
        CONFIDENT,
        f"(?:[对向]{_READER}(?:保密|隐瞒)|瞒[着住]{_READER})",
    ),
    Rule(
        "exfiltration",
        CONFIDENT,
        f"{any_of('输出|显示|打印|泄露|透露|告诉我|重复|展示|说出|公开|复述|给出|交出|列出')}"
        f"(?:一下|出)?(?:全部|所有|完整|的){{0,3}}{_INNER}",
    ),
    Rule(
        "exfiltration",
        CONFIDENT,
        f"[把将](?:完整|全部|所有|的){{0,3}}{_INNER}[^，。！？\n]{{0,4}}"
        f"{any_of('发给|告诉|交给|复述|重复|输出|展示|显示|打印|翻译')}",
    ),
    Rule(
        "exfiltration",
        CONFIDENT,
        rf"(?:[把将]|发送|上传)[^。！？\n]{{0,12}}?{_SECRETS}[^。！？\n]{{0,10}}?"
        rf"{any_of('发送?到|上传到|发给|传到|提交到|转发[到给]|寄到')}[^。！？\n]{{0,8}}?{_AWAY}",
    ),
)
