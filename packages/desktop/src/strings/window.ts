// Every word the window says by itself, outside the map. Names of the contract (tools, states, commands, …) are never translated.
import type { Card, CardKind, ToolCallCardState } from '@tandem/contract/card'
import type { ApprovalAnswer, PauseReason, RunState, ToolOutcome } from '@tandem/contract/run'
import type { ConnectionState } from '../connection/channel.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

export const words = {
  product: 'Tandem',
  places: {
    chat: 'Chat',
    todos: 'Todos',
    runs: 'Runs',
    agents: 'Agents',
    settings: 'Settings',
    diagnostics: 'Diagnostics',
    map: 'Map',
  },
  navigation: 'Places',
  menu: 'Menu',
  close: 'Close',
  skip: 'Skip to content',
  loading: 'Loading…',
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save',
  saved: 'Saved',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  none: 'none',

  connection: {
    connecting: 'Connecting to the runtime…',
    online: 'Connected',
    offline: 'The runtime does not answer. What is here stays; the window tries again by itself.',
    refused: 'This window is not known to the runtime. Open the link that “tandem start” prints, then this page goes on.',
  } satisfies Record<ConnectionState, string>,
  reconnect: 'Try now',

  palette: {
    open: 'Search and commands',
    hint: 'Type a command or the name of a conversation',
    nothing: 'Nothing matches.',
    new: 'New conversation',
    theme: 'Change theme',
    stop: 'Stop the run',
    go: (place: string) => `Go to ${place}`,
    title: 'Command palette',
  },

  conversations: {
    title: 'Conversations',
    new: 'New conversation',
    none: 'No conversations yet.',
    hidden: (shown: boolean) => (shown ? 'Show current' : 'Show hidden'),
    noneHidden: 'Nothing is hidden.',
    rename: 'Rename',
    renameTitle: (title: string) => `New title of ${title}`,
    hide: 'Hide',
    unhide: 'Bring back',
    more: (title: string) => `More for ${title}`,
    waiting: 'waits for you',
    running: 'running',
    gone: 'There is no such conversation here.',
    goneRemedy: 'It may live on another device. Choose one from the list, or begin a new one.',
  },

  welcome: {
    title: 'What shall we do?',
    lead: 'An agent works in your folder, step by step, under your eyes. It reads by itself; before it changes or runs anything, it asks.',
    suggestions: [
      'List the files here and tell me what this folder is about.',
      'Find the TODO comments and make a list of them.',
      'Run the tests and explain what fails.',
    ],
    noModel: 'No model is set yet.',
    setModel: 'Set one in the settings',
  },

  composer: {
    label: 'Message',
    placeholder: 'Say what you need',
    keys: 'Shift+Enter: new line',
    send: 'Send',
    stop: 'Stop',
    model: 'Model',
    agentsModel: 'Default model',
    sandbox: 'Sandbox',
    agentsSandbox: 'Default sandbox',
    agent: 'Agent',
    busy: 'A run is under way.',
    paused: 'The run is paused.',
    waiting: 'The run waits for your answer above.',
  },

  thread: {
    log: 'Conversation',
    newMessages: 'New messages',
    toEnd: 'To the end',
    you: 'You',
    assistant: 'Agent',
    system: 'System',
    setAside: 'Taken back by a restore',
    cut: 'Cut off here: the run went on without it.',
    writing: 'writing…',
    empty: 'Nothing has been said yet.',
  },

  cards: {
    pin: 'Pin',
    unpin: 'Unpin',
    kinds: {
      Thinking: 'Thinking',
      ToolCall: 'Tool call',
      ToolResult: 'Result',
      ContextCompact: 'Context compacted',
      Workflow: 'Workflow',
      McpStatus: 'MCP server',
      RunStatus: 'Run',
      Error: 'Error',
      TodoCard: 'Todos',
      QuestionCard: 'Question',
    } satisfies Record<CardKind, string>,
    call: {
      requested: 'requested',
      awaiting_approval: 'waits for approval',
      approved: 'approved',
      running: 'running',
      succeeded: 'done',
      failed: 'failed',
      denied: 'denied',
      timed_out: 'timed out',
      canceled: 'canceled',
      interrupted: 'interrupted',
    } satisfies Record<ToolCallCardState, string>,
    run: {
      running: 'working',
      paused: 'paused',
      completed: 'done',
      failed: 'failed',
      canceled: 'stopped',
    } satisfies Record<RunState, string>,
    pause: {
      approval: 'It waits for your approval.',
      question: 'It waits for your answer.',
      user: 'You paused it.',
      crash: 'The runtime ended in the middle. What was done is kept; it can go on from there.',
      restore: 'It was taken back to a checkpoint and can go on from there.',
      model: 'No model answered. It can go on when one does.',
    } satisfies Record<PauseReason, string>,
    resume: 'Go on',
    stop: 'Stop',
    pauseRun: 'Pause',
    tokens: (before: number, after: number) => `${before.toLocaleString('en')} → ${after.toLocaleString('en')} tokens`,
    nodes: (done: number, total: number) => `${done} of ${count(total, 'node', 'nodes')}`,
    heartbeat: (at: string) => `last heartbeat ${at}`,
    noHeartbeat: 'no heartbeat yet',
    denied: (reason: string) => `Denied: ${reason}`,
    deniedPlain: 'Denied.',
    checkpoint: 'A checkpoint was taken before it ran.',
    thinking: 'thinking…',
    thought: 'thought',
    device: (id: string) => `on device ${id}`,
    answered: 'answered',
    open: 'open',
    todosDone: (done: number, all: number) => `${done} of ${all} done`,
    noTodos: 'The list is empty.',
  },

  result: {
    added: (number: number) => `+${number}`,
    removed: (number: number) => `−${number}`,
    exit: (code: number) => `exit code ${code}`,
    signal: (name: string) => `ended by ${name}`,
    timedOut: 'its time was over',
    background: (id: string, pid: number) => `Runs in the background as ${id} (pid ${pid}).`,
    seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,
    noOutput: 'No output.',
    middle: (bytes: number, file: string | null) => `… ${bytes.toLocaleString('en')} bytes in all; the whole is in ${file ?? 'a file'} …`,
    blocked: (what: string, resource: string) => `The sandbox refused to ${what} ${resource}`,
    entries: (number: number) => count(number, 'entry', 'entries'),
    more: (number: number) => `${number.toLocaleString('en')} more`,
    matches: (number: number) => count(number, 'match', 'matches'),
    nothing: 'Nothing.',
    truncated: 'Too long to show in full; the whole is kept in a file.',
    cutDiff: 'The rest of the diff is too long to show.',
    noChange: 'Nothing changed.',
    showAll: 'Show all',
    image: (type: string, width: number, height: number) => `${type}, ${width} × ${height}`,
    bytes: (number: number) => `${number.toLocaleString('en')} bytes`,
    outcomes: {
      succeeded: 'done',
      failed: 'It failed',
      denied: 'It was denied',
      timed_out: 'Its time was over',
      canceled: 'It was canceled',
      interrupted: 'The runtime ended in the middle: whether it took effect is not known',
    } satisfies Record<ToolOutcome, string>,
  },

  failure: {
    remedy: 'What to do',
    at: 'Where',
    kind: 'Kind',
    subject: 'About',
    taxonomy: {
      none: 'It could not be done.',
      policy_failure: 'The policy of this agent does not allow it.',
      sandbox_failure: 'The sandbox stopped it.',
      degraded_recovery: 'It was taken back as far as possible; not everything could be seen.',
      resume_failure: 'The run could not go on.',
    },
    recoverability: {
      retryable: 'Trying again may work.',
      user_action: 'You can set it right.',
      restore: 'Go back to a checkpoint.',
      terminal: 'It can not be repaired from here.',
    },
  },

  approval: {
    title: (tool: string) => `May ${tool} run?`,
    waiting: (number: number) => count(number, 'approval waits for you', 'approvals wait for you'),
    where: 'In',
    touches: 'Touches',
    protectedBy: 'Can be taken back',
    unprotected: 'Can not be taken back',
    nothingProtected: 'Nothing of this is covered by a checkpoint.',
    remembers: 'Always covers',
    warnings: 'Look twice',
    exactly: 'Exactly this',
    edit: 'Edit',
    editing: 'Change the arguments before you say yes',
    undoEdit: 'Undo the change',
    brokenJson: 'This is not JSON yet',
    reason: 'Why not? The agent reads it.',
    reasonLabel: 'Reason',
    sendNo: 'Say no',
    keys: 'While this box has the focus: y once, a always, n no.',
    answers: { once: 'Yes, once', this_run: 'Yes, for this run', always: 'Always', no: 'No…' } satisfies Record<ApprovalAnswer, string>,
    everyCall: (tool: string) => `every call of ${tool}`,
    command: (text: string) => `commands that begin with “${text}”`,
    path: (text: string) => `${text} and what is below it`,
    host: (text: string) => `the host ${text}`,
    announce: (tool: string) => `An approval waits for you: ${tool}.`,
    elsewhere: 'In another conversation:',
    show: 'Show it',
  },

  question: {
    waiting: 'The agent asks',
    answer: 'Answer',
    own: 'Your own words',
    ownLabel: 'Answer in your own words',
    choose: 'Choose one',
    chooseMany: 'Choose one or more',
    answered: 'You answered',
    below: 'Answer it above the composer; the run then goes on.',
    announce: (text: string) => `The agent asks: ${text}`,
  },

  todos: {
    title: 'Todos',
    lead: 'What agents and you have set out to do, by conversation. You can change it while a run goes on.',
    add: 'Add',
    addLabel: 'New todo',
    none: 'No todos yet. Agents write them down when a task has several steps.',
    remove: 'Remove',
    states: { pending: 'open', in_progress: 'under way', completed: 'done', canceled: 'dropped', deleted: 'removed' },
    mark: (title: string, state: string) => `${title}: ${state}. Change`,
  },

  runs: {
    title: 'Runs',
    lead: 'Everything that was set going on this device, newest first.',
    none: 'Nothing has run yet.',
    all: 'all',
    state: 'State',
    turns: (number: number) => count(number, 'turn', 'turns'),
    tokens: (input: number, output: number) => `${input.toLocaleString('en')} in, ${output.toLocaleString('en')} out`,
    estimated: '(estimated)',
    open: 'Open its conversation',
    ended: (at: string) => `ended ${at}`,
  },

  agents: {
    title: 'Agents',
    lead: 'Who works for you, with which model, and what each may do.',
    new: 'New agent',
    newName: 'New agent',
    none: 'No agents yet.',
    archived: 'archived',
    archive: 'Archive',
    unarchive: 'Take out again',
    back: 'All agents',
    fields: {
      name: 'Name',
      description: 'Description',
      role: 'Role',
      tone: 'Tone',
      instructions: 'Instructions',
      model: 'Model',
      modelHint: 'provider/model; empty follows this device’s default',
      max_turns: 'Most turns in a run',
      sandbox_mode: 'Sandbox mode',
    },
    policies: 'Tool policies',
    policiesLead: 'What this agent may do with each tool. A change holds from the next call on.',
    policy: {
      tool: 'Tool',
      enabled: 'Enabled',
      approval_mode: 'Approval',
      rate_limit: 'Rate limit',
      time_limit: 'Time limit',
      network_scope: 'Network scope',
      fs_scope: 'File scope',
    },
    calls: 'calls',
    per: 'per',
    seconds: 's',
    hosts: 'Hosts, one a line; none means no network',
    roots: 'Folders, one a line',
    globs: 'Patterns under them, one a line',
    remembered: (number: number) => count(number, 'rule remembered by “always”', 'rules remembered by “always”'),
    default: 'default',
    set: 'set',
    reset: 'Back to default',
    hostsShort: (hosts: readonly string[]) => (hosts.length === 0 ? 'no network' : hosts.join(', ')),
    edit: (tool: string) => `Edit the policy of ${tool}`,
    filter: 'Filter tools',
    gone: 'There is no such agent here.',
    modelOfDevice: 'default model',
  },

  settings: {
    title: 'Settings',
    lead: 'They hold for this device and never leave it.',
    model: 'Model',
    modelLead: 'Any address that speaks the OpenAI API: a provider, a gateway, or a model on this machine.',
    baseUrl: 'Address',
    baseUrlHint: 'https://…/v1',
    defaultModel: 'Default model',
    defaultModelHint: 'the name its provider gives it',
    key: 'Key',
    keySet: 'A key is kept. It can be replaced or removed, never shown.',
    keyUnset: 'No key is kept.',
    keyHint: 'goes in and never comes out',
    removeKey: 'Remove the key',
    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'as the system', light: 'light', dark: 'dark' },
    profile: 'Memory and profile',
    profileLead: 'Corrections, heartbeat review, your profile and the relationship graph will stand here.',
    notYet: 'This runtime does not offer it yet.',
  },

  diagnostics: {
    title: 'Diagnostics',
    lead: 'How this runtime is doing, what its sandbox holds, and what it records.',
    runtime: 'Runtime',
    version: 'Version',
    device: 'Device',
    home: 'Folder',
    started: 'Started',
    connection: 'Connection',
    modelAt: 'Model',
    modelUnset: 'No model is set.',
    sandbox: 'Sandbox self-test',
    sandboxStates: {
      enforced: 'It holds',
      absent: 'There is none on this machine',
      failed: 'It was tried and found open',
      untested: 'It was not tested',
    },
    held: 'held',
    notHeld: 'open',
    again: 'Test again',
    features: 'What works',
    events: 'Events',
    eventsLead: 'As they are recorded, newest first.',
    filterText: 'Filter by name, id or words',
    onlyFailures: 'Only failures',
    noEvents: 'Nothing recorded yet.',
    noMatch: 'Nothing matches.',
    earlier: 'Read earlier ones',
    shown: (shown: number, all: number) => `${shown} of ${all}`,
    learning: 'Learning',
    copy: 'Copy as JSON',
  },

  refusal: (doing: string) => `${doing}: refused`,
  doing: {
    start: 'Sending the message',
    stop: 'Stopping the run',
    resume: 'Going on',
    answer: 'Answering',
    rename: 'Renaming',
    hide: 'Hiding',
    create: 'Beginning a conversation',
    todo: 'Changing the todos',
    agent: 'Changing the agent',
    policy: 'Changing the policy',
    settings: 'Saving the settings',
    status: 'Looking at the runtime',
  },
  notFound: 'No such page',
  notFoundLead: 'Nothing stands at this address.',
} as const

/** What a card says of itself in one line. */
export function lineOf(card: Card): string {
  switch (card.kind) {
    case 'Thinking':
      return card.complete ? firstLine(card.text) : words.cards.thinking
    case 'ToolCall':
      return firstLine(card.arguments)
    case 'ToolResult':
      return card.failure_contract ? firstLine(card.failure_contract.details.message) : ''
    case 'ContextCompact':
      return words.cards.tokens(card.tokens_before, card.tokens_after)
    case 'Workflow':
      return `${card.name}, ${words.cards.nodes(card.nodes_done, card.nodes_total)}`
    case 'McpStatus':
      return card.name
    case 'RunStatus':
      return card.pause_reason ? words.cards.pause[card.pause_reason] : card.title
    case 'Error':
      return firstLine(card.failure_contract.details.message)
    case 'TodoCard':
      return words.cards.todosDone(card.todos.filter(({ state }) => state === 'completed').length, living(card.todos))
    case 'QuestionCard':
      return firstLine(card.question.question)
  }
}

function living(todos: Extract<Card, { kind: 'TodoCard' }>['todos']): number {
  return todos.filter(({ state }) => state !== 'deleted').length
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.slice(0, 300)
}
