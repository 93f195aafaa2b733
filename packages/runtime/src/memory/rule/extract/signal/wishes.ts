// How the user likes things.
import { asksForHabit } from '../forms.ts'
import { type Signal, says, when } from './signal.ts'

export const wishes: readonly Signal[] = [
  says(
    'states a liking',
    'preference',
    4,
    /\bi(?:'d| would)? (?:really |much |strongly |generally |usually |always |still |do |just |also |absolutely |personally |tend to |actually )?(?:prefer|favou?r|hate|loathe|detest|dislike|can't stand|cannot stand|can't bear|can't abide|rather(?! be\b))\b(?! (?:it|this|that|you|him|her|them|myself|mondays?)(?:[.!,]|$)| it (?!when|if)| (?:this|that|the (?:first|second|third|last|other|new|old|left|right|latter|former|blue|red|previous|original)(?: \w+)?)(?: one| version| option)?(?:[.!,]|$)| mondays| (?:this|these) )/,
    /\bi (?:really |do |also |just |still |quite |always )?(?:like|love|enjoy|want|appreciate) (?!it\b(?! when)|this\b|that\b|you\b|to (?:know|see|try|go|do|talk|ask|have|be|get|make)\b|a\b|an\b|him\b|her\b|the (?:first|second|third|last|other|new|old|left|right|next|idea|way you|sound|look)\b|what|how\b|some\b|more\b|my \w+ back|them (?:back|gone)|one\b)/,
    /\bi (?:don't|do not|never|won't|no longer|can't|cannot) (?:really |ever |much |normally |usually )?(?:like|want|need|care for|enjoy|do|use|eat|drink|read|take|work|answer|accept|wear|write|touch|trust|believe in|have time for|tolerate|digest|check|open|look at|go|fly|drive|pay|sign)\b(?! (?:it|this|that|to know|to hear|an answer|you)\b)/,
    /\b(?:drives? me|annoys? me|bugs? me|irritates? me|makes? me (?:mad|sick|ill|crazy|cringe)|gets? on my nerves|is a pet peeve|my pet peeve|(?:doesn't|don't) agree with me|ruins? .* for me|hurts? my eyes|works? (?:best|better) for me|suits? me|helps me (?:most|best))\b/,
    /\bnot a (?:big |huge )?fan of\b|\bi'm a (?:big |huge )?fan of\b|\bmy (?:favou?rite|preferred|go-to|default)\b|\bi'm (?:allergic|intolerant|vegan|vegetarian|celiac|coeliac|diabetic|lactose|left-handed|colou?r-?blind|dyslexic|a vegetarian|a vegan)\b/,
  ),
  says(
    'would like',
    'preference',
    3,
    /\b(?:i|we)'d (?:rather|prefer|sooner)\b|\b(?:is|are|'s) (?:how|what|the way) i (?:want|like|prefer|need)\b|\bthe way i (?:like|want|prefer)\b|\bas i like\b/,
  ),
  says(
    'standing rule',
    'preference',
    3,
    /\b(?:from (?:now|here|today|this point|tomorrow|this week) on(?:wards?)?|from (?:now|today|here)\b|going forward|in (?:the )?future|henceforth|from here on(?: out| in)?|as a rule|by default|as standard|no exceptions?|at all times|until further notice|for good|without exception|every single time|(?:each|every) time (?!i\b|it\b|he\b|she\b)|any ?time (?:you|i|we)|whenever (?!i run|it|he|she))\b/,
  ),
  says(
    'always or never',
    'preference',
    3,
    /\b(?:(?<!(?:could|can) )always(?! (?:forget|forgets|so\b|like this|get|wanted|says|late|been|wondered|a pleasure|happens|fun))|never(?! mind| cease| \w+ed(?:[.!]|$| (?:that|it))| (?:again )?(?:thought|mind)| (?:get|know|seen|been|spell|remember|learn|understand|chose|said|asked|used|saw|knew|heard|got|had|went|came|thought|did|been|told|wanted|worked|happened|again ask))|ever again|don't ever|not ever|everywhere|anywhere)\b|(?:^|[.,!] )ever[.!]?$/,
  ),
  says('begins with always or never', 'preference', 1.5, /^(?:please |pls |and )?(?:always|never|only)\b/),
  says(
    'every or only',
    null,
    1,
    /\b(?:every|each|all|any|only|no one|nobody|nothing|usually|normally|generally|typically|mostly|at most|at least|max|maximum|minimum|no more than|without asking|unless|except)\b/,
  ),
  says(
    'you must',
    'preference',
    3,
    /\byou (?:never|only|don't|may not|can't|cannot|mustn't|shouldn't|are not allowed|get everything|take care|handle|always ask|always show|ask|show|write)\b(?! (?:think|know|mean|remember|mind|to know|see|hear|be|cease|it|that|get|forget|amaze|understand|have to|need to|want|see what))/,
  ),
  says(
    'must or should',
    'preference',
    2,
    /\b(?:(?<!\b(?:it|this|that|i|there|they|he|she) )must(?! have been)|(?<!\b(?:we|it|this|that|there|they|i) )should(?! (?:be (?:enough|fine|ok)|work|print|return|see|do))|shouldn't|mustn't|has to(?! be (?:a|the)\b)|have to|needs? to|ought to|is to be|are to be|may not|can't be|cannot be|not allowed|isn't allowed|supposed to|is required|are required|is mandatory|is forbidden|is banned|off limits|is taboo)\b/,
  ),
  when(
    'forbids',
    'preference',
    3,
    ({ core }) =>
      /^(?:please |pls |and |so )?(?:don't|do not|stop|avoid|refrain from|quit|no need to)\s+\S+/.test(core) &&
      /^\S+(?:\s\S+){3,}/.test(core) &&
      !/\b(?:don't|do not|stop|avoid) (?:it|that|this|worry|bother|forget|answer|laugh|ask why|tell me|mind|think|wait|panic|know|act on|judge|expect much|want to|care|have|need|get it|remember|feel|see|understand|change anything|touch anything|delete anything|tell anyone|say)\b|\b(?:yet|now|today|for now|this time|right now|tonight|tomorrow)\b/.test(
        core,
      ),
  ),
  when(
    'none of it at all',
    'preference',
    1,
    ({ core, words }) =>
      words.length >= 4 && /^no [a-z-]+ (?:[a-z-]+ )?(?:in|on|for|with|at|from|to|without|before|after|please|unless)\b/.test(core),
  ),
  when(
    'wants none of it',
    'preference',
    2,
    ({ afterLabel, core }) =>
      [afterLabel, core].some((said) =>
        /^no (?!idea|problem|worr|rush|need|clue|way|wait|thanks|thank|hurry|luck|doubt|comment|point|matter|wonder|surprise|news|answer|reply|more questions|joke|kidding|offen[cs]e|i\b|it\b|that\b|we\b|you\b|not\b|the\b|he\b|she\b|really)/.test(
          said,
        ),
      ) || /[,.] no (?!idea|problem|need|rush|more? questions|worries|matter|surprise|doubt|i\b|wait)\w+/.test(core),
  ),
  says(
    'how to address',
    'preference',
    4,
    /^(?:please )?(?:just )?(?:call|address) me\b|\bmy pronouns\b|\bi go by\b|\bsign (?:it |them |mails? |everything |off |letters? |emails? )?(?:just |only |simply |as |with )["“']?\w|\b(?:spelled|written|pronounced) with\b/,
  ),
  says(
    'way of answering',
    'preference',
    3.5,
    /\b(?:keep (?:it|things|answers?|replies|messages?|them|your \w+|explanations?|summaries|emails?|mails?|comments?|commits?|it all) (?:short|brief|concise|simple|formal|informal|casual|polite|to the point|under|below|plain|light|minimal|small)|be (?:brief|concise|blunt|direct|frank|honest with me)|with me\b.*\bplease|(?:answer|reply|respond|write|speak|talk|comment)(?: to \w+| your \w+)?,? in (?:simple |plain |formal )?(?:dutch|danish|swedish|english|german|french|plain|short|full|bullet|portuguese|spanish|italian|british|american)|spelling|units|metric system|am\/pm|24[- ]?h)\b/,
    /\b(?:english|german|french|spanish|portuguese|italian|danish|dutch|swedish|norwegian|polish|mandarin|japanese|arabic)\b.{0,30}\b(?:for|when|with|to) (?:me|you|him|her|them|documents?|mails?|code|everything|customers?|clients?|students?|the|my|our)\b/,
  ),
  says(
    'when you do this',
    'preference',
    3,
    /^(?:when|whenever|if|every time|any ?time|before|after|each time) you (?:ever |next |have to |need to )?(?!are\b|were\b|have\b|get\b|can\b|want\b|need\b|think\b|see\b|like\b|could\b|would\b|know\b|don't\b|find\b|finish|look\b|press\b|click\b|run it|do that|do it|re\b)[a-z]+\b.{3,70}, \w+/,
  ),
  says(
    'keeps things in a form',
    'preference',
    3,
    /^(?:[\w' -]{3,40}s|code|text|prose|sql|everything|spelling) (?:always |all |only )*(?:in|with|without|as|at|under|before|after|on|by) [\w' -]{3,40}(?:,? please\b|, (?:not|never|no|always)\b)/,
    /^(?:[\w'-]+ ){0,2}[\w'-]+s, not (?:[\w'-]+ ){0,2}[\w'-]+s$/,
    /\bthat's (?:the |my |our |lab |house |company |team )?(?:rule|policy|limit|way|habit|convention|standard|system)\b/,
  ),
  says(
    'asks for this and not that',
    'preference',
    2,
    /^(?:please )?(?:give|show|send|write|use|put|name|format|call|list|sort|answer|tell)\b.{3,60}, (?:not|never|no) (?!that|this|the (?:first|second|other)|yet|now)\w+/,
  ),
  says(
    'how to reach me',
    'preference',
    3.5,
    /\b(?:text|call|mail|email|message|ping|phone|write) me(?:,| only| instead| rather).{0,30}\b(?:don't|not|never|only|instead)\b/,
  ),
  says('with me', 'preference', 2, /\bwith me\b(?! (?:today|now|tomorrow|tonight|yesterday))/),
  says(
    'none at that time',
    'preference',
    2.5,
    /\b(?:no|not|nothing) (?:\w+ ){0,2}(?:earlier|later)\b|\b(?:no|not|nothing) (?:\w+ ){0,2}(?:after|before|on|during|between|past|until) (?:the )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|noon|lunch|midnight|mon|tue|wed|thu|fri|sat|sun|weekend|work|morning)/,
  ),
  says(
    'in this form',
    'preference',
    3,
    /^(?:(?:commit|code|error|log|file|branch|variable|release|meeting|test|alt|column|class) )?[a-z-]{3,}s (?:always |all |only )?(?:as|with|without|in) (?:(?:a|an|the|full|plain|lower|upper|title|sentence|camel|snake|kebab|bold|italics?|english|german|french|spanish|portuguese|italian|danish|dutch|swedish|two|three|four|five|six|ten|one|\d+|iso|utc|markdown|svg|png|pdf|csv|json|yaml|html|latex|word|british|american|alphabetical|chronological|reverse) ?)[^.?]*$(?<!\b(?:is|are|was|were|has|have|had|do|does|did|looks?|fails?|works?)\b.*)(?<!\bthe (?:file|log|abstract|folder|list|text|code|output).*)/,
  ),
  says(
    'asks to be asked',
    'preference',
    4,
    /^(?:please )?(?:always )?(?:ask|check with|consult|tell|show|warn)(?: me)?(?: first)? before\b|\b(?:without|before) asking(?: me)?\b|\bcheck with me (?:first|before)\b|\bask (?:me )?first\b/,
  ),
  says('gave it up', 'preference', 3, /\bi(?:'ve| have)? (?:stopped|quit|given up|gave up|started) (?:\w+ing|on|using)\b/),
  when('asks for it regularly', 'preference', 3, asksForHabit),
  says('begins with a weekday', 'preference', 1, /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b/),
  says(
    'regularly',
    'preference',
    1.5,
    /\b(?:every (?:day|week|weekday|month|morning|evening|night|quarter|year|other|monday|tuesday|wednesday|thursday|friday|saturday|sunday|first|second|last|time|single|\d+)|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|daily|weekly|monthly|quarterly|yearly|on weekends?|at weekends?|in the (?:morning|afternoon|evening)s|(?:mornings|afternoons|evenings|weekends|weekdays) (?:are|is|i|we|only|for|off)|once a|twice a|(?:first|last) \w+day of)\b/,
  ),
  says(
    'one over the other',
    'preference',
    2,
    /\b\w+ (?:instead of|rather than|in place of|in favou?r of) \w+|\b(?:prefer|choose|take|rank|put|value|favou?r)\w*\b.{1,40}\bover\b|, (?:not|never) (?!sure|that one|this one|the (?:first|second|other)|the \w+ one|even|yet|now|today|really|bad|that|much|even|only|just|for now|at all)\w+|\bnot \w+,? but \w+/,
  ),
]
