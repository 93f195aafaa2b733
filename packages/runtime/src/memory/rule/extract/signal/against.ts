// What speaks against keeping a sentence: questions, requests, small talk, passing states.
import { asksForHabit, isChatter, isHypothetical, isQuestion, isReported, requestOf } from '../forms.ts'
import { day } from '../moments.ts'
import { eventVerbs, momentary } from '../words.ts'
import { type Signal, says, when } from './signal.ts'

const passing = new RegExp(
  String.raw`\b(?:is|are|'s|'re|am|'m|looks?|feels?|seems?|sounds?|(?:was|were)(?!.*(?:day\b|minutes|hours|yesterday|last|\d))) (?:so |really |very |pretty |too |still |all |a bit |quite |not |just |totally |a |such a |already |again )*(${[...momentary].join('|')})\b`,
)

export const against: readonly Signal[] = [
  when('asks', null, -8, (reading) => isQuestion(reading) && !asksForHabit(reading)),
  when('supposes', null, -5, isHypothetical),
  when(
    'requests once',
    null,
    -4,
    (reading) =>
      requestOf(reading) !== null &&
      !/^(?:remember|note that)\b|\bi (?:prefer|hate|always|never|don't)\b|^(?:answer|reply|respond|write|speak|comment)(?: to \w+| your \w+)?,? in\b|^tell me straight|^(?:please |pls )?stop \w+ing\b|\bspelling\b|^(?:please )?(?:ask|check with|consult|tell|show|warn)(?: me)? (?:first )?before\b|\b(?:always|never|every (?!thing)|each |from now on|in future|from here on|whenever|remember|when(?:ever)? you|any ?time|going forward|by default|call me|keep it short|with me)\b/.test(
        reading.core,
      ) &&
      !/, (?:not|never|no) \w+|\bmetric\b|with me\b|don't call|that's \w+ ?(?:policy|rule)/.test(reading.core) &&
      !/^(?:keep (?!going|it (?!short|brief|simple|that way))|call me (?!when|if|at|back|on|later|tomorrow)|stick|sign (?!it|the)|avoid|leave out|(?:please |pls )?stop \w+ing)\b/.test(
        reading.core,
      ),
  ),
  when('quotes others', null, -6, ({ text }) => quotedShare(text) >= 0.5),
  when('small talk', null, -4, isChatter),
  when('reports what others said', null, -2.5, isReported),
  when(
    'only for the moment',
    null,
    -2,
    ({ core }) =>
      /\b(?:right now|at the moment|just now|for today|this time|tonight|later|in a (?:minute|moment|bit|sec)|brb|have to run|gotta|off to|on my way|be right back|let me (?!write|note)|i'm (?!going|coming|giving|taking|using|switching|moving|dropping|replacing|staying|keeping|renting|running|leading|putting|flying|working|living|teaching|studying|allergic)\w+ing\b|i'll (?!stay|stick|keep|go with|use|mostly|always|never)|yet|finally|this week|i'm (?:going|off|on the|about to|trying|looking|running|having|getting|coming|not (?:going|doing))|still (?:running|waiting|broken|failing)|here's|here is|attached|see below)\b/.test(
        core,
      ) && !/\bfrom now|from today|from here/.test(core),
  ),
  when('a passing state', null, -2.5, ({ core }) => passing.test(core)),
  when('about what the agent just did', null, -2, ({ core }) =>
    /^(?:you(?:'re|'ve| are| always| keep| still| have(?! to)| did| were| forgot| missed| broke| said)|that(?:'s| was| looks| is) (?:it|better|right|wrong|fine|good|great|not|nice|perfect|what i|exactly)|looks good|works|it works|i see|i know|i think|i mean|i said|i thought|i forgot|i did (?:it|that|this|something|so)|i need a|i need to|i have to|i must|i should|i've got to|i want to|we should|we have to|we need to|we need|we had(?! an? (?:break-in|fire|flood|leak|outage|power cut|accident|burglary|incident))|we did)\b/.test(
      core,
    ),
  ),
  when('very short', null, -1.5, ({ words }) => words.length < 3),
  when(
    'says only that',
    null,
    -3,
    ({ core, words }) =>
      words.length <= 5 &&
      !/, not \w/.test(core) &&
      /^(?:it|that|this|they|there|these|those|you)(?:'s|'re| is| are| was)?\b|^(?:he|she)\b.*\b(?:always|never|says)\b|^(?:he|she)(?:'s| is) (?:not )?\w+$/.test(
        core,
      ),
  ),
  when(
    'only today',
    null,
    -3,
    ({ core, words }) =>
      /\b(?:today|tonight|tomorrow|this (?:week|morning|afternoon|evening))\b/.test(core) &&
      !/\b(?:from|as of|since|starting) (?:today|this)\b/.test(core) &&
      !words.some((word) => eventVerbs.has(word)) &&
      !/\b(?:decided|agreed|settled|was|were|went|got)\b/.test(core),
  ),
  says('on a condition', null, -2, /^if (?!you\b|any|some|the .*,.*\b(?:first|then)|an? .*,)/),
  says(
    'exaggerates',
    null,
    -5,
    /\bi'd rather (?:eat|die|chew|lick|swim|jump|sell my|burn|drown|fight|walk (?:on|through|barefoot)|stick|pull|gnaw|shave)\b.{2,60}\bthan\b/,
    /\bif i (?:won|were|was|had a (?:pound|penny|dollar|euro))\b.*\b(?:i'd|i would)\b|\bi always wanted to (?:spend|waste)\b/,
  ),
  says('what the agent keeps doing', null, -4, /^you (?:always|keep|still) (?!ask|show|write)/),
  when('the sentence at hand', null, -3, ({ core }) =>
    /\b(?:the|this|that) (?:first|second|third|last|next|previous|above|other|same) (?:one|paragraph|sentence|line|column|row|page|section|version|option|word|part|plot|figure|file|title|item|branch|folder|tab)\b|\b(?:this|that) one\b|\bthe (?:first|last|next) (?:two|three|four|five|few|\d+)\b|\bthere should be\b|\bthe (?:title|intro|heading|paragraph)\b/.test(
      core,
    ),
  ),
  when(
    'what someone is doing',
    null,
    -2,
    ({ core }) =>
      !day.test(core) &&
      /(?<!\bwe)(?:\bis|\bare|'s|'re) (?:just |still |already |finally |probably )?(?!going|coming|giving|taking|using|switching|moving|dropping|replacing|staying|keeping|renting|running|leading|anything|something|nothing|everything|during|king|putting|freezing|being|bring|spring|string|building|meeting|opening|painting|spelling)[a-z]+ing\b/.test(
        core,
      ) &&
      !/\bfrom now|from today\b/.test(core),
  ),
]

/** How much of a sentence stands in quotation marks, not counting short ones: these are names and words that the user mentions. */
function quotedShare(text: string): number {
  const quotes = text.match(/"[^"]{25,}"|“[^”]{25,}”|«[^»]{25,}»/gu) ?? []
  return quotes.reduce((sum, quote) => sum + quote.length, 0) / Math.max(1, text.length)
}
