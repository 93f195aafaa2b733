// What happened once and matters later.
import { calendarDay, past } from '../moments.ts'
import { eventNouns, eventVerbs } from '../words.ts'
import { type Signal, says, when } from './signal.ts'

export const events: readonly Signal[] = [
  when(
    'something happened',
    'episodic',
    2,
    ({ words, core }) =>
      (words.some((word) => eventVerbs.has(word)) ||
        (/\b(?:got|turned (?:us|me) down)\b/.test(core) && words.some((word) => eventNouns.has(word)))) &&
      !/\bjust (?:started|finished)\b|\bi've been\b|\b(?:will|won't|going to|would|can|could|let's|please|should|must|every time|when|whenever)\b/.test(
        core,
      ),
  ),
  says(
    'has happened',
    'episodic',
    1,
    /\b(?:i've|we've|i have|we have) (?:just |now |finally )?(?:signed|bought|sold|moved|hired|quit|joined|left|submitted|launched|accepted|rented|booked|adopted|finished|closed|opened)\b/,
  ),
  says(
    'went wrong',
    'episodic',
    2.5,
    /\b(?:by (?:mistake|accident)|accidentally|(?:down|offline|without power|(?:was|were) out) (?:for|all|on|since)(?! (?:the|a) (?:list|menu))|we(?:'ve)? had (?:a|an|another) (?:break-in|fire|flood|leak|outage|power cut|accident|burglary|incident|short circuit|data loss)|(?:minutes|hours|days) (?:down|offline|of downtime)|lost (?:\w+ ){0,3}(?:data|days|hours|samples|work|money|customers)|turned (?:us|me) down|(?:got|was|were) (?:rejected|accepted|approved|promoted|fired|hacked|robbed|stolen|cancelled|canceled))\b/,
  ),
  when('an event', 'episodic', 1, ({ words }) => words.some((word) => eventNouns.has(word))),
  when(
    'at a time that passed',
    'episodic',
    1,
    ({ core }) => past.test(core) && !/\b(?:will|going to|would|'ll|can|could|let's|please)\b/.test(core),
  ),
  when('on a date', 'episodic', 1, ({ core }) => calendarDay.test(core) && /\b(?:was|were|went|had|did|got|lost|\w{3,}ed)\b/.test(core)),
]
