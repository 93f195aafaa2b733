// Ways of working, step by step.
import { type Signal, says, when } from './signal.ts'
import { tellsStory } from './tense.ts'

const ordered =
  /\bfirst\b.+\bthen\b|\b(?:then|next|after that|afterwards)\b.{3,}\b(?:then|finally|and only then|lastly|last|at the end|after that|afterwards)\b|\bonly then\b|,.+,.+\bthen\b|\b(?:in (?:that|this) order|the order is|order's always|step by step|step (?:one|1)|(?:not|never) the other way (?:a)?round)\b|\bfirst\b.{3,60}\bsecond\b|\bonce .{3,50}, .{3,}\bthen\b|\bafter(?:wards)? .{3,60}, (?:then|always|we|i|you)\b/

export const steps: readonly Signal[] = [
  when('steps in order', 'procedural', 3, ({ core }) => ordered.test(core) && !tellsStory(core)),
  when(
    'a list of steps',
    'procedural',
    2.5,
    ({ core, afterLabel, label }) =>
      (label !== null || /:\s/.test(core)) &&
      (afterLabel.match(/,|\bthen\b|→|->|\band\b/g)?.length ?? 0) >= 2 &&
      /\bthen\b|\bafterwards\b|→|->|\blast(?:ly)?\b|,[^,]+,[^,]+,/.test(core),
  ),
  says(
    'how something is done',
    'procedural',
    3,
    /\b(?:this is how|that's how|here's how|the (?:drill|process|procedure|routine|workflow|way we|recipe|protocol|sequence|steps?|order|checklist|ritual)(?:'s| is| are| for| goes| always|:)|how (?:we|i|they|[a-z]+s) (?:go|work|do|come|release|deploy|handle|run|ship)|my (?:routine|process|workflow|ritual|checklist)|you know the drill|what a \w+ looks like|(?:works?|work|done|handled) (?:differently|like this|this way|as follows)|drill (?:on|is))\b/,
  ),
  says(
    'when this then that',
    'procedural',
    1.5,
    /^(?:when|whenever|before|after|once|as soon as|to|for) (?!now\b|the record|example|instance|me\b|this|you're|you are|you have|you get)[^,:]{3,70}[,:] (?:\S+ ){2,}/,
  ),
]
