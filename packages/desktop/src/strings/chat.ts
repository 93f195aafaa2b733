// What the chat says: the composer, the thread, its cards and results, and questions.
import type { CardKind, ToolCallCardState } from '@tandem/contract/card'
import type { PauseReason, RunState } from '@tandem/contract/run'
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { locale } from './locale.ts'
import { resultWords } from './results.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

export const chatWords = {
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
    folder: 'This conversation came from another device. The folder it works in here:',
    folderHint: 'The whole path of a folder',
    elsewhere: (device: string | null) =>
      `Its run is open on ${device === null ? 'another device' : `“${device}”`}: end it there, or begin a new conversation here.`,
  },

  thread: {
    log: 'Conversation',
    newMessages: 'New messages',
    toEnd: 'To the end',
    you: 'You',
    /** Who wrote a message that stands in the user's place. */
    authors: { agent: 'From another agent', workflow: 'From a workflow', task: 'From a cloud task' },
    otherAuthor: 'Not written by you',
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
    /** Said to a reader of the screen. */
    ended: { completed: 'The run is done.', failed: 'The run failed.', canceled: 'The run was stopped.' },
    workflow: {
      running: 'running',
      paused: 'paused',
      completed: 'done',
      failed: 'failed',
      canceled: 'stopped',
    } satisfies Record<WorkflowRunState, string>,
    pause: {
      approval: 'It waits for your approval.',
      question: 'It waits for your answer.',
      user: 'You paused it.',
      crash: 'The runtime ended in the middle. What was done is kept; it can go on from there.',
      restore: 'It was taken back to a checkpoint and can go on from there.',
      model: 'No model answered. It can go on when one does.',
      child: 'It waits for a run it started.',
      workflow: 'It waits for a workflow.',
      time: 'It waits until a set time.',
      budget: 'Its budget is used up.',
    } satisfies Record<PauseReason, string>,
    triesAgain: (at: string) => `The model is not responding. Next attempt at ${new Date(at).toLocaleTimeString(locale)}.`,
    notAnswered: (message: string) => `The model did not answer${message === '' ? '' : `: ${message}`}.`,
    retryIn: (seconds: number, attempt: number) =>
      seconds > 0 ? `Retry in ${seconds} s (attempt ${attempt})` : `Retrying (attempt ${attempt})…`,
    retryNow: 'Retry now',
    changeModel: 'Change model',
    resume: 'Go on',
    stop: 'Stop',
    undo: 'Undo',
    used: (tokens: number) => `${tokens.toLocaleString(locale)} tokens`,
    elapsed(seconds: number) {
      const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
      if (hours > 0) return `${hours} h ${minutes} min`
      return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
    },
    pauseRun: 'Pause',
    tokens: (before: number, after: number) => `${before.toLocaleString(locale)} → ${after.toLocaleString(locale)} tokens`,
    workflowEvents: 'What happened in the workflow',
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
    arguments: 'Arguments',
  },

  result: resultWords,

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

  question: {
    waiting: 'The agent asks',
    answer: 'Answer',
    own: 'Your own words',
    ownLabel: 'Answer in your own words',
    choose: 'Choose one',
    chooseMany: 'Choose one or more',
    answered: 'You answered',
    below: 'Answer it above the composer; the run then goes on.',
    elsewhere: 'Answer it on the device the run is on; it then goes on.',
    announce: (text: string) => `The agent asks: ${text}`,
  },
} as const
