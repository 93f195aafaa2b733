// Texts of the chat: the composer, the thread, its cards and results, and questions.

import type { CardKind, ToolCallCardState } from '@tandem/contract/card'
import type { FailureStage } from '@tandem/contract/failure'
import type { PauseReason, RunState } from '@tandem/contract/run'
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'
import { resultWords } from './results.ts'

export const chatWords = translated('chat', {
  composer: {
    label: 'Message',
    placeholder: 'Ask anything, or describe a task',
    keys: 'Shift+Enter: new line',
    send: 'Send',
    stop: 'Stop',
    model: 'Model',
    agentsModel: 'Default model',
    sandbox: 'Sandbox',
    agentsSandbox: 'Default sandbox',
    agent: 'Agent',
    busy: 'Working…',
    paused: 'The run is paused.',
    waiting: 'Waiting for your answer above',
    folder: 'This conversation is from another device. Choose a folder on this device to continue:',
    folderOfImport: 'This conversation was imported. Choose a folder on this device to continue:',
    folderHint: 'Full folder path',
    elsewhere: (device: string | null) =>
      `This is running on ${device === null ? 'another device' : `“${device}”`}. Stop it there, or start a new conversation.`,
  },

  thread: {
    log: 'Conversation',
    newMessages: 'New messages',
    toEnd: 'Jump to latest',
    you: 'You',
    /** The author of a message that is shown in the user's place. */
    authors: { agent: 'From another agent', workflow: 'From a workflow', task: 'From a task', import: 'You, in another assistant' },
    otherAuthor: 'Not written by you',
    assistant: 'Agent',
    system: 'System',
    setAside: 'Undone',
    cut: 'Response interrupted',
    writing: 'writing…',
    empty: 'No messages yet',
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
      requested: 'Queued',
      awaiting_approval: 'Needs approval',
      approved: 'Approved',
      running: 'Running',
      succeeded: 'Done',
      failed: 'Failed',
      denied: 'Denied',
      timed_out: 'Timed out',
      canceled: 'Canceled',
      interrupted: 'Interrupted',
    } satisfies Record<ToolCallCardState, string>,
    run: {
      running: 'Working',
      paused: 'Paused',
      completed: 'Done',
      failed: 'Failed',
      canceled: 'Stopped',
    } satisfies Record<RunState, string>,
    /** For screen readers. */
    ended: { completed: 'The run is done.', failed: 'The run failed.', canceled: 'The run was stopped.' },
    workflow: {
      running: 'Running',
      paused: 'Paused',
      completed: 'Done',
      failed: 'Failed',
      canceled: 'Stopped',
    } satisfies Record<WorkflowRunState, string>,
    /** What a run or a workflow waits for. */
    waits: { person: 'Waiting for you', event: 'Waiting' },
    pause: {
      approval: 'Waiting for your approval',
      question: 'Waiting for your answer',
      user: 'Paused by you',
      crash: 'Tandem stopped unexpectedly. Progress is saved; continue any time.',
      restore: 'Restored to a recovery point. Ready to continue.',
      model: 'The model is not responding.',
      child: 'Waiting for a run it started',
      workflow: 'Waiting for a workflow',
      time: 'Waiting until a set time',
      budget: 'The budget is used up',
    } satisfies Record<PauseReason, string>,
    triesAgain: (at: string) => `The model is not responding. Next attempt at ${new Date(at).toLocaleTimeString(locale)}.`,
    notAnswered: (message: string) => `The model did not respond${message === '' ? '' : `: ${message}`}.`,
    retryIn: (seconds: number, attempt: number) =>
      seconds > 0 ? `Retry in ${seconds} s (attempt ${attempt})` : `Retrying (attempt ${attempt})…`,
    retryNow: 'Retry now',
    changeModel: 'Stop and use another model',
    resume: 'Continue',
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
    workflowEvents: 'Workflow events',
    nodes: (done: number, total: number) => `${done} of ${count(total, 'node', 'nodes')}`,
    heartbeat: (at: string) => `Last response ${at}`,
    noHeartbeat: 'No response yet',
    denied: (reason: string) => `Denied: ${reason}`,
    deniedPlain: 'Denied.',
    checkpoint: 'A recovery point was saved before this ran.',
    thinking: 'Thinking…',
    thought: 'Thought',
    device: (id: string) => `on device ${id}`,
    answered: 'Answered',
    open: 'Open',
    todosDone: (done: number, all: number) => `${done} of ${all} done`,
    noTodos: 'The list is empty.',
    arguments: 'Arguments',
  },

  result: resultWords,

  failure: {
    remedy: 'How to fix',
    at: 'Where',
    code: 'Error code',
    facts: { not_restored: 'Not restored', unprotected: 'Not covered', found_at: 'Found in', log: 'Log', fault: 'Error' },
    subject: 'Item',
    taxonomy: {
      none: 'Something went wrong.',
      policy_failure: 'This agent’s policy does not allow it.',
      sandbox_failure: 'Blocked by the sandbox.',
      degraded_recovery: 'Restored, but a command may have had effects that could not be tracked.',
      resume_failure: 'The run could not be resumed.',
    },
    stages: {
      start: 'start',
      model_call: 'model call',
      tool_resolution: 'tool resolution',
      tool_validation: 'tool validation',
      policy_enforcement: 'policy enforcement',
      sandbox_enforcement: 'sandbox enforcement',
      checkpoint: 'recovery point',
      approval: 'approval',
      tool_execution: 'tool execution',
      restore: 'restore',
      resume: 'resume',
      compaction: 'compaction',
      sync: 'sync',
      mcp: 'MCP',
      workflow: 'workflow',
      cooperation: 'teams',
      memory: 'memory',
      learning: 'learning',
      knowledge: 'knowledge',
      executor: 'remote executor',
    } satisfies Record<FailureStage, string>,
    recoverability: {
      retryable: 'Trying again may work.',
      user_action: 'You can fix this.',
      restore: 'Restore a recovery point.',
      terminal: 'This cannot be fixed here.',
    },
  },

  question: {
    waiting: 'The agent has a question',
    answer: 'Answer',
    own: 'Other…',
    ownLabel: 'Answer in your own words',
    choose: 'Choose one',
    chooseMany: 'Select all that apply',
    answered: 'You answered',
    below: 'Answer above the message box to continue the run.',
    elsewhere: 'To continue the run, answer on the device where it was started.',
    announce: (text: string) => `The agent has a question: ${text}`,
  },
} as const)
