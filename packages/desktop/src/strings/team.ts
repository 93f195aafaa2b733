// Texts about teams: a run and the runs it started.

import type { ConflictChoice, ConflictKind, CopyState, MemberWorkspace, PathChange } from '@tandem/contract/team'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

const number = (value: number) => value.toLocaleString(locale)
const duration = (seconds: number) => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`
}

export const teamWords = translated('team', {
  title: 'Teams',
  lead: 'Runs that started other runs, the copies of folders that their members work in, and which agents may delegate to which.',
  one: 'Team',
  back: 'All teams',
  gone: 'There is no such run on this device.',
  open: 'Open team',
  openOf: (title: string) => `Open team: ${title}`,

  /** One line per member, in the thread of its parent. */
  line: {
    member: (title: string) => `Run for part of the work: ${title}`,
    open: 'Open',
    openOf: (title: string) => `Open the conversation of ${title}`,
    tokens: (tokens: number) => count(tokens, 'token', 'tokens'),
    merged: (title: string | null, paths: number, conflicts: number) =>
      `Merged ${title === null ? 'the work of another run' : `the work on “${title}”`}: ${count(paths, 'path', 'paths')} changed${
        conflicts === 0 ? '' : `, ${count(conflicts, 'conflict', 'conflicts')} resolved`
      }.`,
    message: (from: string, to: string) => `${from} to ${to}`,
    lastMessage: (from: string) => `Last message from ${from}`,
    everyone: 'all members',
    unknown: 'another member',
  },

  /** In the conversation of a member. */
  heading: {
    startedBy: 'Started by',
    role: 'Role',
    members: (members: number) => `Team of ${number(members)}`,
    alone: 'Team',
  },

  queue: { hint: 'It gets your message at its next turn.' },

  /** Who asks in the dock, and why. */
  asks: {
    by: 'Asked by',
    for: (title: string) => `for “${title}”`,
    open: 'Open its conversation',
    openOf: (title: string) => `Open its conversation: ${title}`,
  },

  states: {
    approval: 'Needs approval',
    question: 'Needs an answer',
    child: 'Waiting',
    budget: 'Budget used up',
    workflow: 'Waiting',
    time: 'Waiting',
  },

  members: {
    title: 'Members',
    lead: 'Each member is a run of its own. Open it to see what it does.',
    tree: 'Members of the team',
    doing: 'Now',
    did: 'Last step',
    turns: (turns: number) => count(turns, 'turn', 'turns'),
    tokens: (tokens: number) => count(tokens, 'token', 'tokens'),
    share: (turns: number, tokens: number) => `Share: ${count(turns, 'turn', 'turns')}, ${count(tokens, 'token', 'tokens')}`,
    shareOf: (title: string) => `Share of the budget that ${title} has used`,
    approvals: (approvals: number) => count(approvals, 'approval pending', 'approvals pending'),
    questions: (questions: number) => count(questions, 'question pending', 'questions pending'),
    role: 'Role',
    workspaces: {
      copy: 'Works in a copy of the folder',
      shared: 'Works in the folder itself',
    } satisfies Record<MemberWorkspace, string>,
    claims: (paths: string) => `May write: ${paths}`,
    noClaims: 'May not write',
    device: (name: string) => `On ${name}`,
  },

  controls: {
    pause: 'Pause all',
    resume: 'Resume all',
    cancel: 'Stop all',
    sure: 'Stop this run and everything it started? Copies that were not merged are kept.',
    yes: 'Stop all',
    doing: { pause: 'pause the team', resume: 'resume the team', cancel: 'stop the team' },
  },

  budget: {
    title: 'Budget',
    lead: 'Counted over all members.',
    tokens: 'Tokens',
    turns: 'Turns',
    seconds: 'Time',
    of: (spent: string, limit: string) => `${spent} of ${limit}`,
    amount: { tokens: number, turns: number, seconds: duration },
    usedUp: 'The budget is used up, and the team is paused. Raise it to continue.',
    raise: 'Raise the budget',
    more: { tokens: 'More tokens', turns: 'More turns', minutes: 'More minutes' },
    hint: 'leave empty for no change',
    send: 'Raise',
    raised: 'Raised',
    notNumber: (field: string) => `${field}: enter a whole number above 0.`,
    nothing: 'Enter how much more the team may spend.',
    nothingRemedy: 'Fill in at least one of the fields.',
  },

  messages: {
    title: 'Messages between members',
    none: 'The members have not written to each other.',
    to: 'to',
  },

  copies: {
    title: 'Copies of folders',
    lead: 'A copy with changes that were not merged is kept until you discard it.',
    none: 'No copies',
    used: (used: string, quota: string) => `${used} of ${quota} used`,
    states: { in_use: 'In use', unmerged: 'Not merged', merged: 'Merged' } satisfies Record<CopyState, string>,
    facts: (age: string, size: string, files: number) => `Created ${age} · ${size} · ${count(files, 'file', 'files')}`,
    of: (folder: string) => `Copy of ${folder}`,
    merged: (age: string) => `Merged ${age}. It is deleted a day later.`,
    discard: 'Discard',
    discardOf: (title: string) => `Discard the copy of ${title}`,
    question: 'Delete this copy with all changes that were not merged? This cannot be undone.',
    yes: 'Discard the copy',
    discarded: (freed: string) => `Discarded. ${freed} freed.`,
    doing: 'discard the copy',
    team: 'Open team',
    teamOf: (title: string) => `Open team: ${title}`,
    erased: 'Its conversation was deleted.',
  },

  graph: {
    title: 'Delegation',
    lead: 'Which agents may delegate to which, and how often they have on this device.',
    none: 'No agent may delegate to another, and none has.',
    from: 'Agent',
    to: 'May delegate to',
    allowed: 'Allowed',
    yes: 'Yes',
    no: 'No',
    delegated: 'Delegated',
    failed: 'Failed',
    table: 'Delegations between agents',
  },

  recent: {
    title: 'Recent teams',
    none: 'No teams yet. A team starts when an agent delegates part of its work.',
  },

  merge: {
    from: (titles: string) => `From ${titles}`,
    file: (path: string) => `Changes in ${path}`,
    more: (files: number) => `${count(files, 'more path is', 'more paths are')} merged and not listed here.`,
    noFiles: 'No files change.',
    changes: {
      added: 'Added',
      edited: 'Edited',
      deleted: 'Deleted',
      renamed: 'Renamed',
      mode: 'Permissions',
    } satisfies Record<PathChange, string>,
    renamedFrom: (path: string) => `from ${path}`,
    by: (authors: string) => `by ${authors}`,
    noDiff: 'Not shown: the file is not text, or only its name or permissions change.',
    cutDiff: 'The rest of the diff is too long to show.',
    conflicts: (conflicts: number) => count(conflicts, 'conflict', 'conflicts'),
    conflict: (at: number, all: number, line: number | null) =>
      `Conflict ${number(at)} of ${number(all)}${line === null ? '' : `, line ${number(line)}`}`,
    kinds: {
      lines: 'Both changed the same lines.',
      content: 'Both changed the file.',
      deleted: 'One deleted what the other changed.',
      renamed: 'Both renamed it differently.',
      mode: 'Both changed its permissions.',
      type: 'It is a file on one side, and a folder or a link on the other.',
    } satisfies Record<ConflictKind, string>,
    sides: { base: 'Before', current: 'Current', member: 'Change' },
    side: (side: string, author: string | null) => (author === null ? side : `${side}, by ${author}`),
    noText: 'nothing',
    emptyText: 'empty',
    cutSide: 'The rest is too long to show.',
    choices: {
      current: 'Keep current',
      member: 'Use change',
      both: 'Keep both',
      text: 'Own text',
    } satisfies Record<ConflictChoice, string>,
    ownText: (at: number) => `Own text for conflict ${number(at)}`,
    open: (open: number) =>
      open === 1
        ? '1 conflict is open. Resolve it before you allow the merge.'
        : `${number(open)} conflicts are open. Resolve them before you allow the merge.`,
    unlisted: (unlisted: number) =>
      `${count(unlisted, 'conflict is', 'conflicts are')} in files that are not listed here. Deny the merge, and ask the agent to merge fewer members at once.`,
    resolved: 'All conflicts are resolved.',
    next: 'Next open conflict',
    all: { current: 'Keep current for all open', member: 'Use changes for all open' },
    state: { open: 'Open', resolved: 'Resolved' },
  },

  result: {
    changed: (paths: number) => `${count(paths, 'path', 'paths')} changed`,
    more: (paths: number) => `${number(paths)} more`,
    noAnswer: 'No answer.',
    truncated: 'The whole answer is in the conversation of the member.',
    output: 'Result',
    outputProblem: (problem: string) => `The answer does not match the requested schema: ${problem}`,
    questions: 'Open questions',
    used: (input: number, output: number, turns: number) =>
      `${number(input)} input · ${number(output)} output tokens · ${count(turns, 'turn', 'turns')}`,
    conflicts: (conflicts: number) => `${count(conflicts, 'conflict', 'conflicts')} resolved`,
    from: (path: string) => `from ${path}`,
    members: 'Members',
  },
})
