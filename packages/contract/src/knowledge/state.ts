import type { Transitions } from '../transition/index.ts'

/** `waiting` for its turn, being `read`, `ready`, `canceled` by the user, or `failed`: nothing of it could be read. */
export const knowledgeSourceStates = ['waiting', 'reading', 'ready', 'canceled', 'failed'] as const
export type KnowledgeSourceState = (typeof knowledgeSourceStates)[number]

export const knowledgeSourceTriggers = ['ask', 'begin', 'complete', 'cancel', 'fail', 'interrupt'] as const
export type KnowledgeSourceTrigger = (typeof knowledgeSourceTriggers)[number]

/** A source can be read again in every state. What was read before can be found in every state. */
export const knowledgeSourceTransitions = {
  noun: 'source',
  states: knowledgeSourceStates,
  triggers: knowledgeSourceTriggers,
  initial: 'waiting',
  rows: [
    { from: ['ready', 'canceled', 'failed'], on: 'ask', to: 'waiting' },
    { from: ['waiting'], on: 'begin', to: 'reading' },
    { from: ['reading'], on: 'complete', to: 'ready' },
    { from: ['waiting', 'reading'], on: 'cancel', to: 'canceled' },
    { from: ['reading'], on: 'fail', to: 'failed' },
    /** The runtime ended: the source is read again after the next start. */
    { from: ['reading'], on: 'interrupt', to: 'waiting' },
  ],
} satisfies Transitions<KnowledgeSourceState, KnowledgeSourceTrigger>

export const knowledgeOriginKinds = ['file', 'folder', 'url', 'text'] as const
export type KnowledgeOriginKind = (typeof knowledgeOriginKinds)[number]

export const knowledgeOwnerKinds = ['agent', 'workspace', 'everyone'] as const
export type KnowledgeOwnerKind = (typeof knowledgeOwnerKinds)[number]

/** Why a file of a source cannot be found by a search, or only in part. */
export const documentProblems = [
  'secret',
  'unreadable',
  'not_text',
  'unknown_format',
  'too_large',
  'damaged',
  'encrypted',
  'no_text',
  'too_long',
  'too_much_memory',
  'no_sandbox',
  'changed_meanwhile',
  'failed',
] as const
export type DocumentProblem = (typeof documentProblems)[number]

/** For users: what it means, and what helps. */
export const documentProblemTexts: Readonly<Record<DocumentProblem, { readonly message: string; readonly remedy: string }>> = {
  secret: {
    message: 'It may contain secrets, so it was left out.',
    remedy: 'To include it, add it by itself.',
  },
  unreadable: { message: 'Tandem does not have permission to read it.', remedy: 'Change its permissions, then reindex the source.' },
  not_text: { message: 'It is not a document.', remedy: 'Images, videos, programs, archives and databases cannot be searched.' },
  unknown_format: {
    message: 'Its format is not supported.',
    remedy: 'Convert it to PDF, Word (.docx), HTML, Markdown or plain text, then reindex the source.',
  },
  too_large: { message: 'It is too large.', remedy: 'Split it into smaller files, then reindex the source.' },
  damaged: { message: 'It is damaged.', remedy: 'Replace it with an intact copy, then reindex the source.' },
  encrypted: { message: 'It is protected by a password.', remedy: 'Save it without a password, then reindex the source.' },
  no_text: { message: 'It contains no text.', remedy: 'If it is a scan, run text recognition (OCR) on it, then reindex the source.' },
  too_long: { message: 'Reading it took too long.', remedy: 'Split it into smaller files, then reindex the source.' },
  too_much_memory: { message: 'Reading it needed too much memory.', remedy: 'Split it into smaller files, then reindex the source.' },
  no_sandbox: {
    message: 'This format is read only in the sandbox, which does not work on this device.',
    remedy: 'Install what the sandbox needs (the Diagnostics page shows what is missing), then reindex the source.',
  },
  changed_meanwhile: { message: 'It changed while it was being read.', remedy: 'Reindex the source when it no longer changes.' },
  failed: {
    message: 'It could not be read.',
    remedy: 'Reindex the source. If it fails again, report it with a support bundle from the Diagnostics page.',
  },
}
