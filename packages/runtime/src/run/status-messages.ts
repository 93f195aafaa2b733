// Status messages: what happened to a conversation that the user should know, as messages with the role `system`. They are written in the
// transaction of what they report, synchronized like any message, and never sent to a model.
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { InjectedSkills, SkillLevel } from '../journal/step.ts'

export type StatusChange =
  | { readonly kind: 'model_changed'; readonly from: string; readonly to: string }
  /** `device` is null if its name is unknown. */
  | { readonly kind: 'continued_elsewhere'; readonly device: string | null }
  /** The names of the folders, not their paths: on other devices these mean nothing. `isOpen`: a run continues in the earlier one. */
  | { readonly kind: 'folder_changed'; readonly from: string; readonly to: string; readonly isOpen: boolean }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'no_tools'; readonly model: string }
  | { readonly kind: 'skills_left_out'; readonly skills: readonly LeftOutSkill[] }
  | {
      /** `files_restored`, `chosen_restored`: the run itself stays as it is. */
      readonly kind: 'restored' | 'files_restored' | 'chosen_restored'
      readonly restored_paths: number
      readonly conflicts: number
      readonly unrecoverable: number
      /** Changed while background commands ran, and not selected. */
      readonly background_left: number
    }
  | { readonly kind: 'points_deleted'; readonly reason: DeletedFor }

/** `level` is the first one that did not fit. */
export interface LeftOutSkill {
  readonly skill_name: string
  readonly level: SkillLevel
}

/** `contents`: the points are still listed, but their files can no longer be restored. */
export type DeletedFor = 'age' | 'count' | 'space' | 'contents'

const deletedTexts = {
  age: 'Older recovery points of this conversation were deleted at the end of their retention period.',
  count: 'Older recovery points of this conversation were deleted because this device has too many of them.',
  space: 'Older recovery points of this conversation were deleted to free disk space.',
  contents: 'The contents of recovery points of this conversation were deleted to free disk space. Their files can no longer be restored.',
} as const satisfies Record<DeletedFor, string>

export function statusText(news: StatusChange): string {
  switch (news.kind) {
    case 'model_changed':
      return `The model changed from ${news.from} to ${news.to}.`
    case 'continued_elsewhere':
      return news.device === null
        ? 'The conversation was continued on another device.'
        : `The conversation was continued on the device "${news.device}".`
    case 'folder_changed':
      return `The folder changed from ${news.from} to ${news.to}. ${news.isOpen ? 'The current run stays in the earlier folder; the next one works in the new one.' : 'The next run works there.'} Recovery points of earlier runs still restore the earlier folder.`
    case 'compacted':
      return 'Earlier messages were summarized for the model to fit its context window. You can still read them here.'
    case 'no_tools':
      return `The server of ${news.model} does not support tools. The model can respond, but it cannot read files, run commands or change anything. Choose a model that supports tools.`
    case 'skills_left_out':
      return `The part of the context window that skills may use is too small: the prompt does not contain ${news.skills.map(leftOutPart).join(', ')}. The agent can still read what it needs. To change this, assign skills with another policy, or choose a model with a larger context window.`
    case 'restored':
    case 'files_restored':
    case 'chosen_restored': {
      const isWhole = news.kind === 'restored'
      const parts = [
        `${restoredTexts[news.kind]}: ${count(news.restored_paths, 'path')} restored`,
        news.conflicts > 0 ? count(news.conflicts, 'conflict') : '',
        news.unrecoverable > 0 ? `${count(news.unrecoverable, 'path')} could not be restored` : '',
        news.background_left > 0 ? `${count(news.background_left, 'path')} changed by background commands left untouched` : '',
      ]
      return `${parts.filter((part) => part !== '').join(', ')}.${isWhole ? ' The run is paused.' : ''}`
    }
    case 'points_deleted':
      return deletedTexts[news.reason]
  }
}

const restoredTexts = {
  restored: 'A recovery point was restored',
  files_restored: 'The files were restored to an earlier point for a branch of this conversation',
  chosen_restored: 'You restored files in the list of changes',
} as const

const leftOutParts = {
  summary: (name: string) => `the skill ${name}`,
  body: (name: string) => `the instructions of ${name}`,
  full: (name: string) => `the files of ${name}`,
} as const satisfies Record<SkillLevel, (name: string) => string>

function leftOutPart({ skill_name, level }: LeftOutSkill): string {
  return leftOutParts[level](skill_name)
}

/** The skills that did not fit into the prompt, each once. */
export function skillsOverBudget(skills: InjectedSkills | undefined): readonly LeftOutSkill[] {
  const over = skills?.left_out.filter(({ reason }) => reason === 'over_budget') ?? []
  return over.filter(({ skill_name }, at) => over.findIndex((one) => one.skill_name === skill_name) === at)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** What the start of a run changes for its conversation, compared with the previous run. */
export function changesAtStart(
  previous: RunRecord | undefined,
  run: RunRecord,
  deviceName: (device_id: string) => string | null,
): StatusChange[] {
  if (!previous) return []
  return [
    ...(previous.device_id === run.device_id ? [] : [{ kind: 'continued_elsewhere' as const, device: deviceName(run.device_id) }]),
    ...(previous.model === run.model ? [] : [{ kind: 'model_changed' as const, from: previous.model, to: run.model }]),
  ]
}

/** Must be called inside the transaction of what it reports. */
export function writeStatus(
  { messages }: Pick<Journal, 'messages'>,
  { conversation, no }: Pick<RunRecord, 'conversation' | 'no'>,
  news: StatusChange,
): void {
  messages.write({ conversation, run: no, role: 'system', author: 'agent', text: statusText(news) })
}

/** Many points are deleted at a time, day after day: this is written once, until there is another message in the conversation. */
export function writePointsDeleted(journal: Pick<Journal, 'messages'>, run: RunRecord, reason: DeletedFor): void {
  const news: StatusChange = { kind: 'points_deleted', reason }
  const latest = journal.messages.latest(run.conversation, statusKinds)
  const other = latest.findIndex(({ role }) => role !== 'system')
  const sinceThen = other < 0 ? latest : latest.slice(0, other)
  if (!sinceThen.some(({ text }) => text === statusText(news))) writeStatus(journal, run, news)
}

/** The maximum number of consecutive status messages without another message in between. */
const statusKinds = 5
