// Lasting facts about the user, their work and their things.
import { amount, calendarDay, clock, day, number } from '../moments.ts'
import { notHabits } from '../words.ts'
import { type Signal, says, when } from './signal.ts'

export const facts: readonly Signal[] = [
  says(
    'asks to remember',
    null,
    3.5,
    /^(?:please )?(?:do )?(?:remember|note (?:that|:|down)|keep in mind|bear in mind|don't forget|make a note)(?! (?:when|how|the time|me|it)\b)\b|\b(?:for the record|for your records|for future reference|keep (?:that|this|it) in mind|so you know|just so you know|fyi|for your information|worth knowing|good to know|take note|write (?:that|this|it) down|in case (?:you|any(?:one|body)|\w+) asks?|if any(?:one|body) asks|you should know|please keep that|ground rules?|house rules?)\b/,
  ),
  when('mentions it by the way', null, 1, ({ text }) => /\b(?:btw|by the way|fyi|incidentally|for context|background)\b/i.test(text)),
  says(
    'my or our',
    'semantic',
    3,
    /^(?:my|our) (?:(?!thinks|says|said|told|asked|wants|just|got|the)[\w'/-]+ ){1,6}?(?:is(?! \w+ing\b| (?:in|at|on) (?:a|the) (?:mood|way|\w+ today))|are(?! \w+ing\b)|stays?|has|runs?|uses?|starts?|ends?|opens?|closes?|lives?|comes?|goes|works?|costs?|expires?|takes?|needs?|sits?|belongs?|begins?|'s)\b/,
    /\b(?:is|are|'s) (?:(?:on|in|at|part of|with|from) )?(?:my|our) (?!fault|problem|bad|guess|point|thing\b|office\b|way\b|keyboard)\w+/,
    /\b(?:i'm|i am) (?:a|an|the|based|from|in my|responsible|in charge|on call|originally|\d+ years|working (?:at|for|on)|employed|married|single|divorced|half)\b/,
  ),
  when('I do this', 'preference', 3, ({ core }) => tellsHabit(core, /^i /)),
  when('we do this', 'decision', 3, ({ core }) => tellsHabit(core, /^(?:we|\S+ and i) /)),
  says(
    'who I am',
    'semantic',
    4,
    /\b(?:i|we) (?:live (?!for|and)|did (?:my|our)|studied|graduated|trained (?:as|at)|work (?!it|on it|out)|teach|study|lecture|moved to|grew up|come from|was born|speak (?!too|to )|own|run (?:the|a|an|our|my)|lead|manage (?!to)|head (?!off|out|to|home)|coordinate|supervise|freelance|specialize|research|have (?:a |an |two |three |four |\d+ )?(?:\w+ )?(?:twins|cats?|dogs?|kids?|children|sons?|daughters?|sisters?|brothers?|students?|phd|employees|clients?|horses?|rabbits?|birds?))\b/,
    /^i'm \p{L}+(?: \p{L}+)?,/u,
    /\bmy name is\b/,
  ),
  says(
    'has a value',
    'semantic',
    2,
    /\b(?:deadline|due date|budget|rate|fee|salary|price|rent|address|birthday|anniversary|allergy|licen[cs]e|quota|time ?zone|phone number|extension|room|opening hours|office hours|working hours|terms|capacity|limit|target|goal|quorum|headcount|semester|contract|grant|visa|passport|hand-in|submission|thesis|defen[cs]e|threshold|loan|insurance|launch|release|opening|meeting|standup|stand-up|retro|sprint|wedding|exam|conference|workshop|house number|minimum|maximum|name|nickname|handle|split|ratio|network|print run|threshold)(?: (?:of|for|at|in|on|with|per) [\w' ]{2,40}?)? (?:is|are|was|stays?|moves?|moved|runs?|ends?|starts?|=) (?:(?:now|still|set|at|to|on|due|by|until|in|called|every|always|usually) )*(?!better|\w+ing\b|five minutes|ten minutes|a minute|good|done|broken)[\w"“€$£]/,
    /\b(?:set|put|laid) .{1,30}\baside\b|\b(?:budgeted|allocated|earmarked|reserved)\b/,
  ),
  says(
    'is scheduled',
    'semantic',
    3,
    new RegExp(
      String.raw`\b(?:opens?|closes?|starts?|begins?|ends?|launch(?:es)?|is due|are due|takes? place|expires?|renews?|arrives?|comes?|happens|(?:we're|i'm|is|are) (?:flying|travel+ing|driving|moving|leaving|away)|is (?:due|planned|scheduled|coming|visiting|giving|joining|leaving|moving|getting married)|are due|(?:is|are) on(?= (?:the |\d|\w+day)))\b.{0,40}${day.source}`,
      'i',
    ),
  ),
  says(
    'where it is',
    'semantic',
    3,
    /\S (?:lives (?:in|on|at|with|under)|live (?:in|on|at|with|under)|sits? (?:in|on|at|behind|under)|is (?:stored|kept|hosted|located|based|called|named|housed)|are (?:stored|kept|hosted|located|based|called|named)|is in the (?!way|mood|middle|wrong|same)|are in the (?!way|same|wrong)|belongs? to|backed up|runs? on (?!line|time|ci\b)|run on|hosted (?:on|at|by)|located|stored (?:in|on|at)|'s in the)\b/,
  ),
  says('it is so', null, 1, /(?:\b(?:is|are|isn't|aren't)|(?:it|that|he|she|there|here|where|who)'s|'re)\b(?! (?:it|there|that|this)\b)/),
  when('is something with a name', 'semantic', 2, ({ written }) =>
    /\b(?:is|are|'s|'re|stays?|remains?|runs?|uses?|called|named) (?:now |still |always |only |just )?(?:with |on |at |in |from |called |named |by |in a |in the |the )?["“]?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|I\b|CI\b|OK\b)\p{Lu}[\p{L}\d.:/-]+/u.test(
      written,
    ),
  ),
  says(
    'is on a date',
    'semantic',
    2.5,
    new RegExp(String.raw`(?<!\btoday )\b(?:is|are|stays) (?:now |still )?(?:on |by )?${calendarDay.source}`, 'i'),
    new RegExp(String.raw`^(?:from|as of|starting) ${day.source}.{0,3} (?:it's|we|the|i|only)\b`, 'i'),
  ),
  says(
    'a lasting trait',
    'semantic',
    3,
    /\b(?:is|are|am|'m|'re|'s) (?!getting)(?:\w+ )?(?:allergic|vegan|vegans|vegetarian|vegetarians|celiac|coeliac|diabetic|intolerant|left-handed|right-handed|colou?r-?blind|dyslexic|deaf|blind|bilingual|fluent|native|married|divorced|pregnant|retired|self-employed|freelance|asthmatic|epileptic)\b/,
  ),
  says(
    'is done by',
    'decision',
    2,
    /\b(?:is|are|gets?|get) (?:always |only |usually |now |all |never )?(?!booked|closed|used to|supposed|based|called)\w+(?:ed|en|ne|pt) (?:out |in |up |off |over )?(?:by|with|in|as|from|via|through|per|at|on|to|before|after|every|under) (?!line\b|the (?:wrong|first|second|other)|accident)\w/,
  ),
  says(
    'called',
    null,
    1,
    /\b(?:called|named|known as|nicknamed|a\.?k\.?a\.?|short for|stands for)\b (?!off|it\b|me\b|him\b|her\b|about|back|in\b)/,
  ),
  says(
    'here',
    null,
    1,
    /\b(?:in|on|for|of) (?:this|the|our|my) (?:repo(?:sitory)?|project|code ?base|app|course|site|paper|lab|team|company|office|house|book|blog|shop)\b|\b(?:tests|commits|branches|people|files|code|we|releases|docs|rule) here\b/,
  ),
  says(
    'things do this',
    'decision',
    3,
    /^(?:the |our |my |all |new |old )?(?:[\w-]+ )?[\w-]+s (?:in [\w ]{2,25} |here |on [\w ]{2,25} |for [\w ]{2,25} |of [\w ]{2,25} )?(?:follow|use|live|go|run on|run at|need|require|belong|come|stay|end|start|carry|cost|happen|take place|must|should|reset|contain|open|close|ship|land|expire)\b(?! (?:twice|it|up|away|crazy|to know|work|be fine|help))/,
  ),
  when('names a day', null, 1, ({ core }) => day.test(core)),
  when(
    'label with a short value',
    'decision',
    1.5,
    ({ label, afterLabel, asked }) =>
      label !== null &&
      !asked &&
      /^(?:[\w."“+#/-]+(?: [\w."“+#/-]+){0,3})(?:[,.]|$)/.test(afterLabel) &&
      !/^(?:no|yes|what|is|it|that)\b/.test(afterLabel),
  ),
  when('names an hour', null, 1, ({ core }) => clock.test(core)),
  when(
    'sets a limit',
    'preference',
    2.5,
    ({ core }) => number.test(core) && /\b(?:at most|max|maximum|tops|no more than|at least|minimum|or less|or fewer|limit)\b/.test(core),
  ),
  says('gives a contact', 'semantic', 2, /\b(?:is|are|at|to|=) \S+@\S+\.\S+|\b(?:is|at) (?:https?:\/\/|www\.)/),
  says('things are so many', 'semantic', 1.5, /^(?!there)(?:\w+ )?\w+s are (?:at most |max |about |around |always )?\d+ \w+/),
  when('names an amount', null, 1, ({ core }) => amount.test(core)),
  when('has a number', null, 0.5, ({ core }) => number.test(core)),
  when(
    'has a label',
    'decision',
    2,
    ({ label, afterLabel }) =>
      label !== null &&
      !/^(?:bug|question|quick|error|todo|idea|q|options?|look|example|eg|ps|problem|warning|update|wow|ok|yes|no|no wait|issue|ticket|context|so|result|output|got|it says|he says|she says|they say|me|title|subject|text)\b/i.test(
        label,
      ) &&
      !/^(?:what|how|why|who|is|are|can|could|do|does)\b/.test(afterLabel),
  ),
]

/** The present without "-s" and without an object that points back: "I use a split keyboard", not "I use it". */
function tellsHabit(core: string, subject: RegExp): boolean {
  if (!subject.test(core)) return false
  const found =
    /^(?:i|we|\S+ and i) (?:(?:only|also|usually|mostly|still|now|currently|normally|generally|both|mainly|often|all|each|typically|basically) )*([a-z]+)\b(?: (\S+))?/.exec(
      core,
    )
  const [verb, next] = [found?.[1] ?? '', found?.[2] ?? '']
  if (next === '' || notHabits.has(verb) || /ed$|^shall$/.test(verb)) return false
  return !/^(?:it|this|that|you|him|her|them|to|through|about|somewhere|sometimes|so|for|back|up|myself)\b|(?<!every|any|some|no)(?<!th)ing$/.test(
    next,
  )
}
