// Untrusted text that a model will read. A finding does not prove malice; it is shown, and a grave one needs a decision of the user.

const suspicions = {
  invisible_letters: { grave: true, title: 'It contains invisible characters' },
  terminal_sequence: { grave: true, title: 'It contains terminal control sequences' },
  hidden_comment: { grave: true, title: 'It contains a comment that is not shown when rendered' },
  false_markup: { grave: true, title: 'It imitates the markup of a system message' },
  overrides_instructions: { grave: true, title: 'It tells the model to ignore its instructions' },
  asks_for_secrecy: { grave: true, title: 'It tells the model to hide something from the user' },
  names_secrets: { grave: true, title: 'It mentions places where secrets are stored' },
  fetches_code: { grave: true, title: 'It downloads code and runs it directly' },
  changes_rules: { grave: true, title: 'It tells the agent to change its own rules or settings' },
  encoded_block: { grave: false, title: 'It contains a long block of encoded data' },
  speaks_of_other_tools: { grave: true, title: 'It tells the model how to use other tools' },
} as const satisfies Record<string, { readonly grave: boolean; readonly title: string }>

type SuspicionCode = keyof typeof suspicions

export interface Suspicion {
  readonly code: SuspicionCode
  readonly title: string
  readonly grave: boolean
  /** The part that contains it: `description`, `input_schema/properties/path`, a file. */
  readonly where: string
  /** The text in question, with every character visible. */
  readonly excerpt: string
}

export type InspectText = (where: string, text: string) => readonly Suspicion[]

/** Every pattern is linear: no repeated group, no two unbounded repeats that can match the same characters. */
const patterns: readonly (readonly [SuspicionCode, RegExp])[] = [
  [
    'invisible_letters',
    /(?!\u200c|\u200d|\ufeff|[\ufe00-\ufe0f]|[\u{e0000}-\u{e007f}])\p{Default_Ignorable_Code_Point}|(?<!^)\ufeff|(?<=[A-Za-z])(?:\u200c|\u200d)|(?<!\u{1f3f4}|[\u{e0020}-\u{e007f}])[\u{e0000}-\u{e007f}]/u,
  ],
  ['terminal_sequence', /(?![\t\n\f\r])\p{Cc}/u],
  ['hidden_comment', /<!--/],
  [
    'false_markup',
    /<\/?(?:important|system|admin|instructions?|secret|hidden|assistant|user|tool_result|antml)\b|\[\/?(?:INST|SYSTEM)\]|<\|/i,
  ],
  [
    'overrides_instructions',
    /\b(?:ignore|disregard|forget|override|bypass)\s{1,5}(?:all|any|the|your|every|previous|prior|earlier|above)\b[^.\n]{0,40}\b(?:instruction|prompt|rule|message|polic|guideline)/i,
  ],
  [
    'asks_for_secrecy',
    /\b(?:do\s{1,5}not|don['’]t|never|without)\s{1,5}(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|show|showing|alert|alerting)\b[^.\n]{0,40}\b(?:user|human|person|anyone)/i,
  ],
  [
    'names_secrets',
    /(?:~|\$HOME|\/root|\/home\/[\w-]{1,64})\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|config\/gcloud)|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/shadow|\.(?:cursor|claude)\/(?:mcp|settings)[\w.]{0,20}\.json/i,
  ],
  [
    'fetches_code',
    /\b(?:curl|wget|iwr|Invoke-WebRequest)\b[^\n|]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da)?sh\b|\bbase64\s{1,5}(?:-d|--decode|-D)\b[^\n|]{0,100}\|\s{0,5}(?:sudo\s{1,5})?(?:(?:ba|z|da)?sh|python3?|node)\b|\b(?:eval|iex)\b[^\n]{0,20}\$?\((?:curl|wget|iwr)/i,
  ],
  [
    'changes_rules',
    /\b(?:edit|write|append|add|modify|change|update|overwrite)\b[^.\n]{0,60}(?:AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.cursorrules|\.mcp\.json|mcp\.json|settings\.json|\.bashrc|\.zshrc|\.profile|authorized_keys|crontab|\.git\/hooks)/i,
  ],
  ['encoded_block', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{256}/],
]

/** The findings in one text: each kind once, at its first occurrence. */
export const inspectText: InspectText = (where, text) => {
  const found: Suspicion[] = []
  for (const [code, pattern] of patterns) {
    const match = pattern.exec(text)
    if (match) found.push(suspicion(code, where, text, match.index))
  }
  return found
}

/** Finds mentions of other tools. Plain words are not names: only those with a dot, dash or underscore count. */
export function inspectMentions(where: string, text: string, others: Iterable<string>): readonly Suspicion[] {
  for (const name of others) {
    if (!/[._-]/.test(name)) continue
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      if (!inWord.test(text[at - 1] ?? ' ') && !inWord.test(text[at + name.length] ?? ' '))
        return [suspicion('speaks_of_other_tools', where, text, at)]
    }
  }
  return []
}

const inWord = /[\w-]/

/** The text without characters that a person would not see. */
export function withoutInvisible(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu, '')
}

function suspicion(code: SuspicionCode, where: string, text: string, at: number): Suspicion {
  const { title, grave } = suspicions[code]
  const near = text.slice(Math.max(0, at - 20), at + 100)
  const excerpt = near.replace(/[^\P{C}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)
  return { code, title, grave, where, excerpt }
}
