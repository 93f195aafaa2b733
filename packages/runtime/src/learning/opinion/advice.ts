// Whether a sentence gives advice, or speaks of permissions that the records do not speak of. Pure. A second opinion says how a run went: a
// sentence in plain words, such as "Allow every command", names nothing that the check for names could find.

/** Words about what is allowed, in both languages. They may be used only as the records use them. */
const permission =
  /\b(?:dis)?allow\w*|\bpermi(?:t|ssion)\w*|\bapprov\w*|\bgrant\w*|\bauthori[sz]\w*|\bwhitelist\w*|\ballowlist\w*|\btrust\w*|\bconsent\w*|\bpolic(?:y|ies)\b|\bsandbox\w*|\brestrict\w*|\bunrestrict\w*|\bunblock\w*|\bbypass\w*|\bloosen\w*|\brelax\w*|\bwiden\w*|\benabl\w*|\bdisabl\w*|\bunattended\b|\bask(?:ed|ing|s)?\b|\bprompt(?:ed|ing|s)?\b|\bconfirm\w*|(?<!\p{L})(?:erlaub|erlaubnis|gestatt|genehmig|zulass|zugelassen|freigeb|freigegeben|freigabe|berechtig|richtlinie|vertrau|(?:nach|rück)frage)\p{L}*/giu

/** Who says what should be done gives advice. */
const advising =
  /\b(?:should|shall|must|ought|recommend\w*|suggest\w*|advis\w*|consider|please|let|next time|from now on|in (?:the )?future|you (?:can|could|may|might))\b|(?<!\p{L})(?:soll|sollt|muss|müss|empfehl|empfiehl|empfohlen|bitte|künftig|zukünftig)\p{L}*/iu

/** A sentence that begins with one of these is an instruction. */
const imperative =
  /(?:^|[.!?;:]\s+|\bthen\s+)(?:add|avoid|change|check|configure|create|delete|do|don['’]t|ensure|fix|give|ignore|increase|install|keep|lift|make|open|override|raise|remove|replace|run|set|skip|stop|switch|try|turn|update|use|write)\s/i

/** What makes it advice; null if it only says what happened. `evidence`: what the records say. */
export function adviceIn(text: string, evidence: readonly string[]): string | null {
  const [advice] = text.match(advising) ?? text.match(imperative) ?? []
  if (advice !== undefined) return advice.replace(/^[.!?;:\s]+/, '').trim()
  const known = new Set(wordsOf(evidence.join(' ')))
  return (text.match(permission) ?? []).find((word) => !known.has(word.toLowerCase())) ?? null
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}
