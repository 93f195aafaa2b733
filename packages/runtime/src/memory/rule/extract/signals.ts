// What in a sentence speaks for keeping it, and as which kind. Each signal has a weight; a sentence is kept if the sum reaches the threshold.
import type { MemoryKind } from '@tandem/contract/memory'
import { asksForHabit, isChatter, isHypothetical, isQuestion, isReported, requestOf } from './forms.ts'
import { amount, calendarDay, clock, day, number, past } from './moments.ts'
import { namesIn, peopleIn } from './names.ts'
import type { Reading } from './reading.ts'
import { channels, eventNouns, eventVerbs, momentary, notHabits, partVerbs, roles } from './words.ts'

export interface Signal {
  readonly name: string
  readonly weight: number
  /** The kind it speaks for; null if for any. */
  readonly kind: MemoryKind | null
  readonly holds: (reading: Reading) => boolean
}

export const threshold = 3

const role = roles.join('|')
const part = partVerbs.join('|')
const channel = channels.join('|')

const says = (name: string, kind: MemoryKind | null, weight: number, ...patterns: readonly RegExp[]): Signal => ({
  name,
  kind,
  weight,
  holds: ({ core }) => patterns.some((pattern) => pattern.test(core)),
})
const when = (name: string, kind: MemoryKind | null, weight: number, holds: (reading: Reading) => boolean): Signal => ({ name, kind, weight, holds })

const wish: readonly Signal[] = [
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
  says('would like', 'preference', 3, /\b(?:i|we)'d (?:rather|prefer|sooner)\b|\b(?:is|are|'s) (?:how|what|the way) i (?:want|like|prefer|need)\b|\bthe way i (?:like|want|prefer)\b|\bas i like\b/),
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
  says('every or only', null, 1, /\b(?:every|each|all|any|only|no one|nobody|nothing|usually|normally|generally|typically|mostly|at most|at least|max|maximum|minimum|no more than|without asking|unless|except)\b/),
  says('you must', 'preference', 3, /\byou (?:never|only|don't|may not|can't|cannot|mustn't|shouldn't|are not allowed|get everything|take care|handle|always ask|always show|ask|show|write)\b(?! (?:think|know|mean|remember|mind|to know|see|hear|be|cease|it|that|get|forget|amaze|understand|have to|need to|want|see what))/),
  says('must or should', 'preference', 2, /\b(?:(?<!\b(?:it|this|that|i|there|they|he|she) )must(?! have been)|(?<!\b(?:we|it|this|that|there|they|i) )should(?! (?:be (?:enough|fine|ok)|work|print|return|see|do))|shouldn't|mustn't|has to(?! be (?:a|the)\b)|have to|needs? to|ought to|is to be|are to be|may not|can't be|cannot be|not allowed|isn't allowed|supposed to|is required|are required|is mandatory|is forbidden|is banned|off limits|is taboo)\b/),
  when('forbids', 'preference', 3, ({ core }) => /^(?:please |pls |and |so )?(?:don't|do not|stop|avoid|refrain from|quit|no need to)\s+\S+/.test(core) && /^\S+(?:\s\S+){3,}/.test(core) && !/\b(?:don't|do not|stop|avoid) (?:it|that|this|worry|bother|forget|answer|laugh|ask why|tell me|mind|think|wait|panic|know|act on|judge|expect much|want to|care|have|need|get it|remember|feel|see|understand|change anything|touch anything|delete anything|tell anyone|say)\b|\b(?:yet|now|today|for now|this time|right now|tonight|tomorrow)\b/.test(core)),
  when('none of it at all', 'preference', 1, ({ core, words }) => words.length >= 4 && /^no [a-z-]+ (?:[a-z-]+ )?(?:in|on|for|with|at|from|to|without|before|after|please|unless)\b/.test(core)),
  when('wants none of it', 'preference', 2, ({ afterLabel, core }) => [afterLabel, core].some((said) => /^no (?!idea|problem|worr|rush|need|clue|way|wait|thanks|thank|hurry|luck|doubt|comment|point|matter|wonder|surprise|news|answer|reply|more questions|joke|kidding|offen[cs]e|i\b|it\b|that\b|we\b|you\b|not\b|the\b|he\b|she\b|really)/.test(said)) || /[,.] no (?!idea|problem|need|rush|more? questions|worries|matter|surprise|doubt|i\b|wait)\w+/.test(core)),
  says('how to address', 'preference', 4, /^(?:please )?(?:just )?(?:call|address) me\b|\bmy pronouns\b|\bi go by\b|\bsign (?:it |them |mails? |everything |off |letters? |emails? )?(?:just |only |simply |as |with )["“']?\w|\b(?:spelled|written|pronounced) with\b/),
  says(
    'way of answering',
    'preference',
    3.5,
    /\b(?:keep (?:it|things|answers?|replies|messages?|them|your \w+|explanations?|summaries|emails?|mails?|comments?|commits?|it all) (?:short|brief|concise|simple|formal|informal|casual|polite|to the point|under|below|plain|light|minimal|small)|be (?:brief|concise|blunt|direct|frank|honest with me)|with me\b.*\bplease|(?:answer|reply|respond|write|speak|talk|comment)(?: to \w+| your \w+)?,? in (?:simple |plain |formal )?(?:dutch|danish|swedish|english|german|french|plain|short|full|bullet|portuguese|spanish|italian|british|american)|spelling|units|metric system|am\/pm|24[- ]?h)\b/,
    /\b(?:english|german|french|spanish|portuguese|italian|danish|dutch|swedish|norwegian|polish|mandarin|japanese|arabic)\b.{0,30}\b(?:for|when|with|to) (?:me|you|him|her|them|documents?|mails?|code|everything|customers?|clients?|students?|the|my|our)\b/,
  ),
  says('when you do this', 'preference', 3, /^(?:when|whenever|if|every time|any ?time|before|after|each time) you (?:ever |next |have to |need to )?(?!are\b|were\b|have\b|get\b|can\b|want\b|need\b|think\b|see\b|like\b|could\b|would\b|know\b|don't\b|find\b|finish|look\b|press\b|click\b|run it|do that|do it|re\b)[a-z]+\b.{3,70}, \w+/),
  says('keeps things in a form', 'preference', 3, /^(?:[\w' -]{3,40}s|code|text|prose|sql|everything|spelling) (?:always |all |only )*(?:in|with|without|as|at|under|before|after|on|by) [\w' -]{3,40}(?:,? please\b|, (?:not|never|no|always)\b)/, /^(?:[\w'-]+ ){0,2}[\w'-]+s, not (?:[\w'-]+ ){0,2}[\w'-]+s$/, /\bthat's (?:the |my |our |lab |house |company |team )?(?:rule|policy|limit|way|habit|convention|standard|system)\b/),
  says('asks for this and not that', 'preference', 2, /^(?:please )?(?:give|show|send|write|use|put|name|format|call|list|sort|answer|tell)\b.{3,60}, (?:not|never|no) (?!that|this|the (?:first|second|other)|yet|now)\w+/),
  says('how to reach me', 'preference', 3.5, /\b(?:text|call|mail|email|message|ping|phone|write) me(?:,| only| instead| rather).{0,30}\b(?:don't|not|never|only|instead)\b/),
  says('with me', 'preference', 2, /\bwith me\b(?! (?:today|now|tomorrow|tonight|yesterday))/),
  says('none at that time', 'preference', 2.5, /\b(?:no|not|nothing) (?:\w+ ){0,2}(?:earlier|later)\b|\b(?:no|not|nothing) (?:\w+ ){0,2}(?:after|before|on|during|between|past|until) (?:the )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|noon|lunch|midnight|mon|tue|wed|thu|fri|sat|sun|weekend|work|morning)/),
  says('in this form', 'preference', 3, /^(?:(?:commit|code|error|log|file|branch|variable|release|meeting|test|alt|column|class) )?[a-z-]{3,}s (?:always |all |only )?(?:as|with|without|in) (?:(?:a|an|the|full|plain|lower|upper|title|sentence|camel|snake|kebab|bold|italics?|english|german|french|spanish|portuguese|italian|danish|dutch|swedish|two|three|four|five|six|ten|one|\d+|iso|utc|markdown|svg|png|pdf|csv|json|yaml|html|latex|word|zotero|british|american|alphabetical|chronological|reverse) ?)[^.?]*$(?<!\b(?:is|are|was|were|has|have|had|do|does|did|looks?|fails?|works?)\b.*)(?<!\bthe (?:file|log|abstract|folder|list|text|code|output).*)/),
  when('asks for it regularly', 'preference', 3, asksForHabit),
  says('begins with a weekday', 'preference', 1, /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b/),
  says('regularly', 'preference', 1.5, /\b(?:every (?:day|week|weekday|month|morning|evening|night|quarter|year|other|monday|tuesday|wednesday|thursday|friday|saturday|sunday|first|second|last|time|single|\d+)|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|daily|weekly|monthly|quarterly|yearly|on weekends?|at weekends?|in the (?:morning|afternoon|evening)s|(?:mornings|afternoons|evenings|weekends|weekdays) (?:are|is|i|we|only|for|off)|once a|twice a|(?:first|last) \w+day of)\b/),
  says('one over the other', 'preference', 2, /\b\w+ (?:instead of|rather than|in place of|in favou?r of) \w+|\b(?:prefer|choose|take|rank|put|value|favou?r)\w*\b.{1,40}\bover\b|, (?:not|never) (?!sure|that one|this one|the (?:first|second|other)|the \w+ one|even|yet|now|today|really|bad|that|much|even|only|just|for now|at all)\w+|\bnot \w+,? but \w+/),
]

const resolve: readonly Signal[] = [
  says(
    'decided',
    'decision',
    4,
    /\b(?:we|i|they|\w+ and (?:i|me)|the (?:team|board|group|committee|lab)|everyone|all of us)(?:'ve| have|'d| had)?(?: now| just| all| both| finally| also| already| since)? (?:decided|agreed|settled|chose|chosen|opted|picked|resolved|voted|committed to|signed off on|landed on|ended up with|went with|gave up on|ruled out|said yes to|greenlit|approved)\b(?! (?:to disagree|yet))/,
    /\b(?:it's|that's|this is|is|was|are|that was|all) (?:now |all |finally )?(?:decided|settled|agreed|final|official|set in stone|non-negotiable|a done deal|locked in|confirmed|so it's fixed)\b/,
    /\b(?:decision|verdict|ruling|agreement|conclusion|outcome|resolution)(?: is| was|:| on)\b/,
    /\b(?:we agreed|agreed) (?:on|to|that)\b|\bas agreed\b|\bmade up my mind\b|^we said (?!we|that we|hi|goodbye|no\b|yes\b|so)|\bfinal (?:answer|decision|call)\b/,
  ),
  says(
    'goes with',
    'decision',
    4,
    /\b(?:let's|lets|we|we'll|we're|i'll|i'm|i am|we are|gonna|going to) (?:just |now |all |both |definitely |probably |actually |then |still )?(?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on|standardi[sz]e on|keep(?:ing)? (?:the|our|with)(?! old name| \w+ name)|standardi[sz](?:e|ing) on|tak(?:e|ing) (?!it\b|a |an |the (?:bus|train|day|afternoon|metro|kids|dog|car|week|rest|morning|tram|bike|cheaper|first|second|other)|my |notes|over|off\b|care|turns|part|him|her|them|that|this|\w+ (?:to|out)\b)|us(?:e|ing) (?!it\b|that\b|this\b|the (?:first|second|other|old|new|last)\b)|adopt(?:ing)?|switch(?:ing)? to|mov(?:e|ing) (?:over )?to|migrat(?:e|ing) to|stay(?:ing)? (?:with|on)|do(?:ing)? it:|doing (?!fine|ok|well|great|good|this|that|nothing|my|our|the (?:dishes|laundry)|taxes|it\b(?! in))|choos(?:e|ing)|pick(?:ing)?|drop(?:ping)?|replac(?:e|ing)|ditch(?:ing)?|scrap(?:ping)?|freez(?:e|ing)|postpon(?:e|ing)|cancel(?:ing|ling)?)\b/,
    /\b(?:i've|we've|i have|we have|i|we) (?:now |just |finally |already )?(?:moved|switched|migrated|changed|converted) (?:over |back |all )?(?:to|from)\b(?! (?:the other|another|that|this|it|bed|sleep)\b)/,
    /^(?!.*\b(?:as|how|what|that|so|where|than|fine|think|like) it is)(?!(?:so|as|that|fine|how)\b)[\w .'-]{2,40} it is\b[.!,]?(?:$| then)|\bit'll be\b|\bit's going to be\b/,
  ),
  says('we use', 'decision', 3, /\bwe(?:'ll| will)? (?:always |only |now |all |just |currently |still |also |both )?(?:use|run|build|deploy|ship|host|store|write|test|target|support|freeze|charge|skip|drop|scrap|keep|go (?:with|for|by|through|back to)|do|don't (?:use|do|support|ship|deploy|need|have|allow|accept|work|write|touch|publish|take|charge|store)|never|pay|meet (?:every|on|once|at \d)|review|follow|call|name|cite|publish|submit|measure|sample|report|rent|own|live|sell|buy|pay|teach)\b(?! (?:it|that|this|you|there|lunch|dinner)\b)/),
  says(
    'changes course',
    'decision',
    3.5,
    /\b(?:scrap|ditch|forget about|kill off|shelved?|scrapped|dropped|dropping|ditched|abandon(?:ed|ing)?|cancel(?:l?ed)?|call(?:ed|ing)? off|(?:we're|i'm|it's|now|so|actually|just|then|are|is) back to (?!work|bed|sleep|normal|square|the (?:plot|code|topic|question))|^back to (?!work|bed|sleep|normal|square|the (?:plot|code|topic|question|file))|we (?:went|go) back to|we're going back to|reverted to|no longer|not .{1,30} any ?more|isn't .{1,40} any ?more|doesn't .{1,40} any ?more|changed my mind|change of plans?|off the table|(?:is|are) (?:history|no more|obsolete)|has changed|have changed|(?:we're|i'm|am|are) done with|not happening|fell through|gone back to|off the (?:menu|list|agenda|plan|roadmap)|slipped to|slips to|^scratch the|in the end we|no more (?!coffee|tea|beer|milk|questions|time|energy|jokes|than)|(?<!make it )instead(?! of (?:a|an|the|this|that)\b)|replac(?:es|ed|ing)|supersedes?|was a mistake|moves? (?:to|from|up|forward|back)|moved to|moving (?:to|the)|pushed (?:back|to|forward)|postponed|rescheduled|brought forward|bring .{1,40} forward|extended (?:to|until|by)|delayed (?:to|until)|is now|are now(?! \w+ing)|now (?:is|uses?|runs?|goes|lives?|works?|wants?)|as of (?:today|now|monday|next|this|\d)|starting (?:today|now|monday|next|with|from|in|on)|effective|for now it's|(?<!results? )(?:is|are) in(?:[.,!]|$)|no replacement|we're back)\b/,
    /\b[\w.@/-]+ out, [\w.@/-]+ in\b|(?:^|, )so no \w+|\bfrom [\w ]{2,20} on(?:wards?)?,? (?:it's|we|use|only|no|the|it)\b/,
  ),
  says('stays or will be', 'decision', 3, /\b(?:stays?|remains?|will be|won't be|is going to be|are going to be|becomes?)\b(?! (?:there|here|fun|back|fine|ok|late|done|ready|home|in bed|up)\b)/),
  says('goes somewhere', 'decision', 3, /(?<!\b(?:it|this|that|he|she|they|i|we|you) )\b(?<!'ll )(?:gets? (?!back|\w+ing\b|it\b|worse|better|old|hot|cold|late|stuck|the idea|this|that|a raise|a bit)|goes (?:to|into|in|through|via|out|by|on|under|with|first)|go (?:to|into|in|through|via|out|by|under) (?!bed|sleep|lunch|dinner|the (?:dentist|gym|shop))|comes? from|is going to|are going to|will (?:use|get|have|run|go|stay|need|happen|start|open|close|take|live|move)|won't|they'll (?:use|get|have|need)|may (?!be|have|i|you|go))\b/),
  says('is gone', 'decision', 1.5, /\b(?:is|are) (?:dead|out|gone|off)\b(?! (?:sick|today|of|for lunch|there|here))/),
  says('plans it', 'decision', 3, /\b(?:we're|we are|i'm) (?:now |also )?(?:phasing out|introducing|rolling out|hiring|retiring|selling|buying|renovating|launching|expanding|merging|outsourcing|raising|closing|opening|getting (?:a|an|new|rid|another)|adding (?:a|an|another)|building (?:a|an|our))\b/),
  says('changes a value', 'decision', 3, /\b(?:we've|we|i've|i|they|they've) (?:just |now |also )?(?:pushed|moved|shifted|upped|raised|lowered|reduced|increased|extended|shortened|renamed|postponed|bumped|cut) (?!it\b|that\b|this\b|them\b)(?:\S+ ){1,5}(?:to|from|by|until)\b(?! (?:the other|another|docs|tomorrow))/),
  says('until then', null, 1.5, /\buntil (?!now|then|it|he|she|i\b|they|you)\w/),
  says('gives the reason', null, 1, /\b(?:because|since (?!the \d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|last|then)|so that|otherwise|that's why|which is why|reason|due to|thanks to|so (?:people|we|they|i|you|it|nobody|the|old|others)|as (?:it|the|that|we|they|that's|i|there))\b|, so\b/),
]

const facts: readonly Signal[] = [
  says('asks to remember', null, 3.5, /^(?:please )?(?:do )?(?:remember|note (?:that|:|down)|keep in mind|bear in mind|don't forget|make a note)(?! (?:when|how|the time|me|it)\b)\b|\b(?:for the record|for your records|for future reference|keep (?:that|this|it) in mind|so you know|just so you know|fyi|for your information|worth knowing|good to know|take note|write (?:that|this|it) down|in case (?:you|any(?:one|body)|\w+) asks?|if any(?:one|body) asks|you should know|please keep that|ground rules?|house rules?)\b/),
  when('mentions it by the way', null, 1, ({ text }) => /\b(?:btw|by the way|fyi|incidentally|for context|background)\b/i.test(text)),
  says('my or our', 'semantic', 3, /^(?:my|our) [\w' /-]{2,60}? (?:is(?! \w+ing\b| (?:in|at|on) (?:a|the) (?:mood|way|\w+ today))|are(?! \w+ing\b)|stays?|has|runs?|uses?|starts?|ends?|opens?|closes?|lives?|comes?|goes|works?|costs?|expires?|takes?|needs?|sits?|belongs?|begins?|'s)\b/, /\b(?:is|are|'s) (?:(?:on|in|at|part of|with|from) )?(?:my|our) (?!fault|problem|bad|guess|point|thing\b|office\b|way\b|keyboard)\w+/, /\b(?:i'm|i am) (?:a|an|the|based|from|in my|responsible|in charge|on call|originally|\d+ years|working (?:at|for|on)|employed|married|single|divorced|half)\b/),
  when('I do this', 'semantic', 3, ({ core }) => {
    const found = /^(?:i|we|\S+ and i) (?:(?:only|also|usually|mostly|still|now|currently|normally|generally|both|mainly|often|all|each|typically|basically) )*([a-z]+)\b(?: (\S+))?/.exec(core)
    const [verb, next] = [found?.[1] ?? '', found?.[2] ?? '']
    return found !== null && next !== '' && !notHabits.has(verb) && !/ed$/.test(verb) && !/^(?:it|this|that|you|him|her|them|to|somewhere|sometimes|so|for|back|up|myself)\b|(?<!every|any|some|no)(?<!th)ing$/.test(next)
  }),
  says('who I am', 'semantic', 4, /\b(?:i|we) (?:live (?!for|and)|did (?:my|our)|studied|graduated|trained (?:as|at)|work (?!it|on it|out)|teach|study|lecture|moved to|grew up|come from|was born|speak (?!too|to )|own|run (?:the|a|an|our|my)|lead|manage (?!to)|head (?!off|out|to|home)|coordinate|supervise|freelance|specialize|research|have (?:a |an |two |three |four |\d+ )?(?:\w+ )?(?:twins|cats?|dogs?|kids?|children|sons?|daughters?|sisters?|brothers?|students?|phd|employees|clients?|horses?|rabbits?|birds?))\b/, /^i'm \p{L}+(?: \p{L}+)?,/u, /\bmy name is\b/),
  says('has a value', 'semantic', 2, /\b(?:deadline|due date|budget|rate|fee|salary|price|rent|address|birthday|anniversary|allergy|licen[cs]e|quota|time ?zone|phone number|extension|room|opening hours|office hours|working hours|terms|capacity|limit|target|goal|quorum|headcount|semester|contract|grant|visa|passport|hand-in|submission|thesis|defen[cs]e|threshold|loan|insurance|launch|release|opening|meeting|standup|stand-up|retro|sprint|wedding|exam|conference|workshop|house number|minimum|maximum|name|nickname|handle|split|ratio|network|print run|threshold)(?: (?:of|for|at|in|on|with|per) [\w' ]{2,40}?)? (?:is|are|was|stays?|moves?|moved|runs?|ends?|starts?|=) (?:(?:now|still|set|at|to|on|due|by|until|in|called|every|always|usually) )*(?!better|\w+ing\b|five minutes|ten minutes|a minute|good|done|broken)[\w"“€$£]/, /\b(?:set|put|laid) .{1,30}\baside\b|\b(?:budgeted|allocated|earmarked|reserved)\b/),
  says('is scheduled', 'semantic', 3, new RegExp(String.raw`\b(?:opens?|closes?|starts?|begins?|ends?|launch(?:es)?|is due|are due|takes? place|expires?|renews?|arrives?|comes?|happens|(?:we're|i'm|is|are) (?:flying|travel+ing|driving|moving|leaving|away)|is (?:on|due|planned|scheduled|coming|visiting|giving|joining|leaving|moving|getting married)|are (?:on|due))\b.{0,40}${day.source}`, 'i')),
  says('where it is', 'semantic', 3, /\S (?:lives (?:in|on|at|with|under)|live (?:in|on|at|with|under)|sits? (?:in|on|at|behind|under)|is (?:stored|kept|hosted|located|based|called|named|housed)|are (?:stored|kept|hosted|located|based|called|named)|is in the (?!way|mood|middle|wrong|same)|are in the (?!way|same|wrong)|belongs? to|backed up|runs? on (?!line|time|ci\b)|run on|hosted (?:on|at|by)|located|stored (?:in|on|at)|'s in the)\b/),
  says('it is so', null, 1, /(?:\b(?:is|are|isn't|aren't)|(?:it|that|he|she|there|here|where|who)'s|'re)\b(?! (?:it|there|that|this)\b)/),
  when('is something with a name', 'semantic', 2, ({ written }) => /\b(?:is|are|'s|'re|stays?|remains?|runs?|uses?|called|named) (?:now |still |always |only |just )?(?:with |on |at |in |from |called |named |by |in a |in the |the )?["“]?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|I\b|CI\b|OK\b)\p{Lu}[\p{L}\d.:/-]+/u.test(written)),
  says('a lasting trait', 'semantic', 3, /\b(?:is|are|am|'m|'re|'s) (?!getting)(?:\w+ )?(?:allergic|vegan|vegans|vegetarian|vegetarians|celiac|coeliac|diabetic|intolerant|left-handed|right-handed|colou?r-?blind|dyslexic|deaf|blind|bilingual|fluent|native|married|divorced|pregnant|retired|self-employed|freelance|asthmatic|epileptic)\b/),
  says('is done by', 'decision', 2, /\b(?:is|are|gets?|get) (?:always |only |usually |now |all |never )?(?!booked|closed|used to|supposed|based|called)\w+(?:ed|en|ne|pt) (?:out |in |up |off |over )?(?:by|with|in|as|from|via|through|per|at|on|to|before|after|every|under) (?!line\b|the (?:wrong|first|second|other)|accident)\w/),
  says('called', null, 1, /\b(?:called|named|known as|nicknamed|a\.?k\.?a\.?|short for|stands for)\b (?!off|it\b|me\b|him\b|her\b|about|back|in\b)/),
  says('here', null, 1, /\b(?:in|on|for|of) (?:this|the|our|my) (?:repo(?:sitory)?|project|code ?base|app|course|site|paper|lab|team|company|office|house|book|blog|shop)\b|\b(?:tests|commits|branches|people|files|code|we|releases|docs|rule) here\b/),
  says('things do this', 'decision', 3, /^(?:the |our |my |all |new |old )?(?:[\w-]+ )?[\w-]+s (?:in [\w ]{2,25} |here |on [\w ]{2,25} |for [\w ]{2,25} |of [\w ]{2,25} )?(?:follow|use|live|go|run on|run at|need|require|belong|come|stay|end|start|carry|cost|happen|take place|must|should|reset|contain|open|close|ship|land|expire)\b(?! (?:twice|it|up|away|crazy|to know|work|be fine|help))/),
  when('names a day', null, 1, ({ core }) => day.test(core)),
  when('label with a short value', 'decision', 1.5, ({ label, afterLabel, asked }) => label !== null && !asked && /^(?:[\w."“+#/-]+(?: [\w."“+#/-]+){0,3})(?:[,.]|$)/.test(afterLabel) && !/^(?:no|yes|what|is|it|that)\b/.test(afterLabel)),
  when('names an hour', null, 1, ({ core }) => clock.test(core)),
  when('sets a limit', 'preference', 2.5, ({ core }) => number.test(core) && /\b(?:at most|max|maximum|tops|no more than|at least|minimum|or less|or fewer|limit)\b/.test(core)),
  says('gives a contact', 'semantic', 2, /\b(?:is|are|at|to|=) \S+@\S+\.\S+|\b(?:is|at) (?:https?:\/\/|www\.)/),
  says('things are so many', 'semantic', 1.5, /^(?!there)(?:\w+ )?\w+s are (?:at most |max |about |around |always )?\d+ \w+/),
  when('names an amount', null, 1, ({ core }) => amount.test(core)),
  when('has a number', null, 0.5, ({ core }) => number.test(core)),
  when('has a label', 'decision', 2, ({ label, afterLabel }) => label !== null && !/^(?:bug|question|quick|error|todo|idea|q|options?|look|example|eg|ps|problem|warning|update|wow|ok|yes|no|no wait|issue|ticket|context|so|result|output|got|it says|he says|she says|they say|me|title|subject|text)\b/i.test(label) && !/^(?:what|how|why|who|is|are|can|could|do|does)\b/.test(afterLabel)),
]

const people: readonly Signal[] = [
  when('someone with a role', 'relationship', 4, ({ written }) => !/\b(?:wrote|sent|said|made|did|told|broke|found|fixed|called) (?:it|this|that|me|us)\b/.test(written) && peopleIn(written).length > 0 && new RegExp(String.raw`\b(?:${role})s?\b`, 'i').test(written) && new RegExp(String.raw`(?:is|are|'s|as|was) (?:now )?(?:my|our|the|a|an|his|her|their|your)?\b.{0,40}\b(?:${role})\b|\b(?:my|our|the|their|his|her)\b.{0,30}\b(?:${role})\b|, (?:the |a |an )?[\w ]{0,20}(?:${role})\b|\b(?:${role}),? (?:is |called |named )?\p{Lu}|\p{Lu}\p{Ll}+'s (?:\w+ ){0,2}(?:${role})\b`, 'u').test(written)),
  when('pronoun with a role', 'relationship', 3, ({ core }) => new RegExp(String.raw`^(?:he|she|they)(?:'s|'re| is| are| was) (?:also |now |still )?(?:my|our|the|a|an|their)\b.{0,40}\b(?:${role})s?\b`).test(core)),
  when('what someone does', 'relationship', 3, ({ written }) => namesIn(written).some(({ start, end }) => (start < 12 || /[:;,] (?:and |but )?$/.test(written.slice(0, start))) && new RegExp(String.raw`^(?:,[^,]{2,40},|\s\([^)]{2,40}\))?(?:'s people)?\s(?:from [\\w ]{2,20} )?(?:also |now |only |still |usually |always |never |mostly |just )*(?:${part})\b(?! (?:it|me|you|if|that|hi|hello|to know|everyone says)\b)`).test(written.slice(end)))),
  when('what a name does', null, 3, ({ written }) => namesIn(written).some(({ start, end }) => start < 4 && /^(?:'s \w+)? (?:only |never |always |also |now )?(?!says|asks|thinks|looks|seems|feels|wonders|hopes|knows|means|sounds|gets|calls|was|is|has (?:a (?:cold|question|fever|point)|no\b|been|to\b|not|gone|left|\w+ed\b)|does|its|this|sends|brings|arrives|leaves|starts|says|wants to (?:know|see|talk)|laughs|agrees|takes ages|crashes|fails|breaks|hangs|keeps)[a-z]+(?<!s)s\b(?! (?:it|me|you|if|that|this|hi|hello|to know|again)\b)/.test(written.slice(end)))),
  when('what that person does', 'relationship', 2.5, ({ core }) => new RegExp(String.raw`^(?:he|she)(?:'ll)? (?:also |now |only |still |usually |always |never |mostly |just |basically )*(?:${part}|only|do|want|need)\b(?! (?:it\b|me|you|if|that\b|faster))`).test(core)),
  says('how to reach someone', 'relationship', 3, new RegExp(String.raw`\b(?:reach(?:es|ed|able)?|contact|get|message|ping|write to|find|catch|hit up|go through|goes? through|update|notify|tell|inform) (?:\w+ ){0,2}(?:her|him|them|\w+ ?\w*) (?:only |best |just |always )?(?:on|by|via|in|through|over|at|with) (?:the |a )?(?:${channel})\b`), new RegExp(String.raw`\b(?:only|never|always|(?:doesn't|hardly|rarely|barely) (?:read|answer|use|check|like|look at|do)s?|prefers?|wants?|lives? (?:in|on)|answers?|reads?|looks? at|responds?|checks?|uses?|is on|expects?) (?:\w+ ){0,5}(?:${channel})\b`), new RegExp(String.raw`\b(?:${channel}) person\b`)),
  says('what my people do', 'relationship', 3, new RegExp(String.raw`\b(?:my|our|the|his|her) (?:\w+ )?(?:${role}) (?:also |now |only |still |usually |always |never |mostly |just )*(?:${part})\b(?! (?:it|me|you|if|that|this|hi|hello|to know)\b)`)),
  says('what an institution does', 'semantic', 3, /^(?:the|our|my) (?:\w+ )?\w+ (?:always |also |only |still )?(?:pays|provides|funds|covers|requires|supplies|sponsors|organises|organizes|delivers|insists|demands|lets us|allows|forbids|charges|lends|rents|owns)\b/),
  when('someone changed their place', 'relationship', 3, ({ written }) => namesIn(written).some(({ start, end }) => start < 4 && /^ (?:has |have |just |now |recently )*(?:took over|taken over|retired|left|resigned|quit|joined|was promoted|got promoted|is leaving|is joining|moved to|went on (?:parental|maternity|sick) leave)\b(?! (?:it|me|the (?:room|office|house|party)|a (?:note|message)|early))/.test(written.slice(end)))),
  says('applies to all', 'preference', 3, /^(?:anything|everything|everyone|anyone|nothing|nobody|no one|whoever|all|any|no|every|each)\b(?: \S+){0,6} (?:needs?|goes|must|requires?|gets?|has to|have to|happens|leaves|passes|comes|is (?:allowed|reserved|named|sent|done|reviewed|checked)|are (?:named|sent|done|reviewed|checked|written))\b(?! (?:wrong|well|on|fine))/),
  says('who is responsible', 'relationship', 2.5, /\b(?:in charge of|responsible for|takes care of|looks after|signs? off|has the final say|final say|has to approve|must approve|approval|without (?:her|his|their|\w+'s) (?:ok|okay|approval|consent|sign-?off)|has to pass (?:her|him|them)|goes? (?:to|through) (?:her|him|them)|reports? to|took over|takes over|replaces|is the (?:person|one) (?:who|for)|point of contact|go-to person|first point)\b/),
]

const steps: readonly Signal[] = [
  says('steps in order', 'procedural', 3, /\bfirst\b.+\bthen\b|\b(?:then|next|after that|afterwards)\b.{3,}\b(?:then|finally|and only then|lastly|last|at the end|after that|afterwards)\b|\bonly then\b|,.+,.+\bthen\b|\b(?:in (?:that|this) order|the order is|order's always|step by step|step (?:one|1)|(?:not|never) the other way (?:a)?round)\b|\bfirst\b.{3,60}\bsecond\b|\bonce .{3,50}, .{3,}\bthen\b|\bafter(?:wards)? .{3,60}, (?:then|always|we|i|you)\b/),
  when('a list of steps', 'procedural', 2.5, ({ core, afterLabel, label }) => (label !== null || /:\s/.test(core)) && (afterLabel.match(/,|\bthen\b|→|->|\band\b/g)?.length ?? 0) >= 2 && /\bthen\b|\bafterwards\b|→|->|\blast(?:ly)?\b|,[^,]+,[^,]+,/.test(core)),
  says('how something is done', 'procedural', 3, /\b(?:this is how|that's how|here's how|the (?:drill|process|procedure|routine|workflow|way we|recipe|protocol|sequence|steps?|order|checklist|ritual)(?:'s| is| are| for| goes| always|:)|how (?:we|i|they|[a-z]+s) (?:go|work|do|come|release|deploy|handle|run|ship)|my (?:routine|process|workflow|ritual|checklist)|you know the drill|what a \w+ looks like|(?:works?|work|done|handled) (?:differently|like this|this way|as follows)|drill (?:on|is))\b/),
  says('when this then that', 'procedural', 1.5, /^(?:when|whenever|before|after|once|as soon as|to|for) (?!now\b|the record|example|instance|me\b|this|you're|you are|you have|you get)[^,:]{3,70}[,:] (?:\S+ ){2,}/),
]

const events: readonly Signal[] = [
  when('something happened', 'episodic', 2, ({ words, core }) => (words.some((word) => eventVerbs.has(word)) || (/\b(?:got|turned (?:us|me) down)\b/.test(core) && words.some((word) => eventNouns.has(word)))) && !/\bjust (?:started|finished)\b|\bi've been\b|\b(?:will|won't|going to|would|can|could|let's|please|should|must|every time|when|whenever)\b/.test(core)),
  says('has happened', 'episodic', 1, /\b(?:i've|we've|i have|we have) (?:just |now |finally )?(?:signed|bought|sold|moved|hired|quit|joined|left|submitted|launched|accepted|rented|booked|adopted|finished|closed|opened)\b/),
  says('went wrong', 'episodic', 2.5, /\b(?:by (?:mistake|accident)|accidentally|(?:down|offline|without power|(?:was|were) out) (?:for|all|on|since)(?! (?:the|a) (?:list|menu))|(?:minutes|hours|days) (?:down|offline|of downtime)|lost (?:\w+ ){0,3}(?:data|days|hours|samples|work|money|customers)|turned (?:us|me) down|(?:got|was|were) (?:rejected|accepted|approved|promoted|fired|hacked|robbed|stolen|cancelled|canceled))\b/),
  when('an event', 'episodic', 1, ({ words }) => words.some((word) => eventNouns.has(word))),
  when('at a time that passed', 'episodic', 1, ({ core }) => past.test(core) && !/\b(?:will|going to|would|'ll|can|could|let's|please)\b/.test(core)),
  when('on a date', 'episodic', 1, ({ core }) => calendarDay.test(core) && /\b(?:was|were|went|had|did|got|lost|\w{3,}ed)\b/.test(core)),
]

const against: readonly Signal[] = [
  when('asks', null, -8, (reading) => isQuestion(reading) && !asksForHabit(reading)),
  when('supposes', null, -5, isHypothetical),
  when('requests once', null, -4, (reading) => requestOf(reading) !== null && !/^(?:remember|note that)\b|\bi (?:prefer|hate|always|never|don't)\b|^(?:answer|reply|respond|write|speak|comment)(?: to \w+| your \w+)?,? in\b|^tell me straight|^stop \w+ing\b|\b(?:always|never|every (?!thing)|each |from now on|in future|from here on|whenever|remember|when(?:ever)? you|any ?time|going forward|by default|call me|keep it short|with me)\b/.test(reading.core) && !/, (?:not|never|no) \w+|\bmetric\b|with me\b|don't call|that's \w+ ?(?:policy|rule)/.test(reading.core) && !/^(?:keep (?!going|it (?!short|brief|simple|that way))|call me (?!when|if|at|back|on|later|tomorrow)|stick|sign (?!it|the)|avoid|leave out|stop \w+ing)\b/.test(reading.core)),
  when('small talk', null, -4, isChatter),
  when('reports what others said', null, -2.5, isReported),
  when('only for the moment', null, -2, ({ core }) => /\b(?:right now|at the moment|just now|for today|this time|tonight|later|in a (?:minute|moment|bit|sec)|brb|have to run|gotta|off to|on my way|be right back|let me (?!write|note)|i'm (?!going|coming|giving|taking|using|switching|moving|dropping|replacing|staying|keeping|renting|running|leading|putting|flying|working|living|teaching|studying|allergic)\w+ing\b|i'll (?!stay|stick|keep|go with|use|mostly|always|never)|yet|finally|this week|i'm (?:going|off|on the|about to|trying|looking|running|having|getting|coming|not (?:going|doing))|still (?:running|waiting|broken|failing)|here's|here is|attached|see below)\b/.test(core) && !/\bfrom now|from today|from here/.test(core)),
  when('a passing state', null, -2.5, ({ core }) => new RegExp(String.raw`\b(?:is|are|'s|'re|am|'m|looks?|feels?|seems?|sounds?|(?:was|were)(?!.*(?:day\b|april|minutes|hours|yesterday|last))) (?:so |really |very |pretty |too |still |all |a bit |quite |not |just |totally |a |such a |already |again )*(${[...momentary].join('|')})\b`).test(core)),
  when('about what the agent just did', null, -2, ({ core }) => /^(?:you(?:'re|'ve| are| always| keep| still| have(?! to)| did| were| forgot| missed| broke| said)|that(?:'s| was| looks| is) (?:it|better|right|wrong|fine|good|great|not|nice|perfect|what i|exactly)|looks good|works|it works|i see|i know|i think|i mean|i said|i thought|i forgot|i did (?:it|that|this|something|so)|i need a|i need to|i have to|i must|i should|i've got to|i want to|we should|we have to|we need to|we need|we had|we did)\b/.test(core)),
  when('very short', null, -1.5, ({ words }) => words.length < 3),
  when('says only that', null, -3, ({ core, words }) => words.length <= 5 && /^(?:it|that|this|they|there|these|those|you)(?:'s|'re| is| are| was)?\b|^(?:he|she)\b.*\b(?:always|never|says)\b|^(?:he|she)(?:'s| is) (?:not )?\w+$/.test(core)),
  when('only today', null, -3, ({ core, words }) => /\b(?:today|tonight|this (?:week|morning|afternoon|evening))\b/.test(core) && !/\b(?:from|as of|since|starting) (?:today|this)\b/.test(core) && !words.some((word) => eventVerbs.has(word)) && !/\b(?:decided|agreed|settled|was|were|went|got)\b/.test(core)),
  says('on a condition', null, -2, /^if (?!you\b|any|some|the .*,.*\b(?:first|then)|an? .*,)/),
  says('what the agent keeps doing', null, -4, /^you (?:always|keep|still) (?!ask|show|write)/),
  when('the sentence at hand', null, -3, ({ core }) => /\b(?:the|this|that) (?:first|second|third|last|next|previous|above|other|same) (?:one|paragraph|sentence|line|column|row|page|section|version|option|word|part|plot|figure|file|title|item|branch|folder|tab)\b|\b(?:this|that) one\b|\bthe (?:first|last|next) (?:two|three|four|five|few|\d+)\b|\bthere should be\b|\bthe (?:title|intro|heading|paragraph)\b/.test(core)),
  when('what someone is doing', null, -2, ({ core }) => !day.test(core) && /(?<!\bwe)(?:\bis|\bare|'s|'re) (?:just |still |already |finally |probably )?(?!going|coming|giving|taking|using|switching|moving|dropping|replacing|staying|keeping|renting|running|leading|anything|something|nothing|everything|during|king|putting|freezing|being|bring|spring|string|building|meeting|opening|painting|spelling)[a-z]+ing\b/.test(core) && !/\bfrom now|from today\b/.test(core)),
]

export const signals: readonly Signal[] = [...wish, ...resolve, ...facts, ...people, ...steps, ...events, ...against]
