// Conclusions of an agent that are not worth keeping: small talk, and what the code says itself, where it may have changed since. Pure.
import type { MemoryKind } from '@tandem/contract/memory'

const smallTalk =
  /^(?:hello|hi|hey|thanks?|thank you|you(?:'re| are) welcome|good (?:morning|afternoon|evening|night|luck)|have a (?:nice|good|great))\b|\b(?:said|says) (?:hello|hi|thanks?|thank you|good ?bye|good (?:morning|evening|night))\b|\b(?:user|person|human|they|he|she) (?:greeted|thanked|wished|praised|complimented)\b|\b(?:nice|pleasant|friendly|good|great) (?:chat|conversation|talk)\b|\b(?:user|person|human) (?:is|was|seems?|seemed) (?:\w+ )?(?:happy|pleased|satisfied|grateful|friendly|polite)\b/i

export function isSmallTalk(content: string): boolean {
  return smallTalk.test(content)
}

/** A file, a function or a line. */
const codeName =
  /(?:^|[\s`"'(])(?:[\w@./-]*\/)?[\w.-]+\.(?:c|cc|cpp|cs|css|go|h|html|java|js|json|jsx|kt|lua|mjs|php|py|rb|rs|scss|sh|sql|swift|toml|ts|tsx|vue|ya?ml)\b|\b\w+\(\)|\blines? \d+\b/
const statesCode =
  /\b(?:is|are) (?:\w+ )?(?:defined|declared|implemented|located|exported|imported|called|found|written|set) (?:in|at|on|by|from)\b|\b(?:defines?|declares?|exports?|imports?|implements?|contains?|includes?|lists?|returns?|has|have|takes?)\b|\b(?:is|are|lives?|sits?) (?:in|at|under|on)\b/i

/** Only facts: why something was done, and how it is done, is not in the code. */
export function isReadableInCode(memory_kind: MemoryKind, content: string): boolean {
  return memory_kind === 'semantic' && codeName.test(content) && statesCode.test(content)
}
