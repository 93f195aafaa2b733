// What the grammar of a sentence says against keeping it: its tense, its mood, the place of its verb. No words about anything in particular.
import { requestOf } from '../forms.ts'
import { eventVerbs } from '../words.ts'
import { type Signal, when } from './signal.ts'
import { pastVerbs, tellsStory } from './tense.ts'

const verb =
  /\b(?:is|are|am|was|were|be|been|do|does|did|has|have|had|will|would|must|should|shall|can|could|may|might|goes|go|gets?|got|stays?|keep|keeps|use|uses|want|wants|need|needs|[a-z]+(?:'s|'re|'m|'ve|'ll|'d|n't)|[a-z]{2,}(?:[a-df-z]ed|ies|[^s\W\d_]s))\b/

const lasting = /\b(?:always|never|every|each|when|whenever|from now|in future|only|by default|not|instead)\b/
/** Something is to be handed over or passed on: "get me a price", "tell Ann where it is". */
const handsOver =
  /^(?:please |pls |and |then )?(?:get|give|send|show|make|find|fetch|write|print|draw|tell|book|order|buy|bring) (?:me|us|him|her|them|everyone|everybody|\p{Lu}[\p{L}]+)\b/u

export const grammar: readonly Signal[] = [
  when('a story', null, -1.5, ({ core, words }) => pastVerbs(core) >= 2 && !words.some((word) => eventVerbs.has(word))),
  when('steps that were taken', null, -3, ({ core }) => /\bthen\b|\bafter\b|\bfirst\b/.test(core) && tellsStory(core)),
  when('no verb', null, -0.5, (reading) => reading.label === null && !verb.test(reading.core) && requestOf(reading) === null),
  when(
    'requests after a label',
    null,
    -3,
    ({ label, core, afterLabel }) =>
      label !== null && requestOf({ core: afterLabel }) !== null && !lasting.test(core) && !/^(?:to|how|this is how) /.test(core),
  ),
  when('requests in its second part', null, -2, ({ core }) => {
    const [, rest] = /(?:,| and| then|[.!?]) (?:and |then |please )?(\S.*)$/.exec(core) ?? []
    return rest !== undefined && requestOf({ core: rest }) !== null && !lasting.test(core) && !/\bthen\b/.test(core)
  }),
  when(
    'asks to hand over',
    null,
    -4,
    ({ written, core }) => handsOver.test(`${written.charAt(0).toLowerCase()}${written.slice(1)}`) && !lasting.test(core),
  ),
  when('exclaims', null, -1, ({ core }) =>
    /^(?:god|what an?|how (?!we|i|to)[a-z]+)\b|\b(?:god help|thank god|for god's sake)\b/.test(core),
  ),
  when('about a feeling', null, -1, ({ core }) =>
    /^i (?:(?:keep|kept) \w+ing|forgot|forget|feel|felt|hope|wish|miss|love (?:it|this|that)|suppose|guess)\b/.test(core),
  ),
]
