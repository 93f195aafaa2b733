// A run in the session: answers as they arrive, each call with its result and output, and what else happens.
import type { Delta } from '@tandem/contract/command'
import { type RuntimeEvent, retryText } from '@tandem/contract/event'
import { callTitle, type RunStep, type Usage } from '@tandem/contract/run'
import type { TodoItem } from '@tandem/contract/sync'
import { displayedOutcome } from '@tandem/contract/tool'
import { outputSummary } from '@tandem/contract/tool/output'
import { endOf, outputLines } from '../run/command-text.ts'
import { failureText } from '../run/failure-text.ts'
import { memberLine, teamNames } from '../run/member-printer.ts'
import { lineFor, type Printer } from '../run/printer.ts'
import { singleLine, stripControls } from '../terminal/terminal-text.ts'
import { painted } from './theme.ts'
import type { AnswerBlock, CallBlock, Transcript } from './transcript.ts'

export interface PrinterEvents {
  onActivity(text: string): void
  onTodos(todos: readonly TodoItem[]): void
  onUsage(usage: Usage): void
  /** The run is about to ask its model again: what was written for it can be sent. */
  onTurn(): void
}

interface OpenCall {
  readonly tool: string
  readonly title: string
  block: CallBlock
  output: string
}

const shownOutput = 12
const keptOutput = 20_000

export function chatPrinter(transcript: Transcript, events: PrinterEvents): Printer {
  const calls = new Map<string, OpenCall>()
  const tools = new Map<string, string>()
  const names = teamNames()
  let answer: { readonly id: string; readonly block: AnswerBlock; text: string; missed: boolean } | null = null
  let thought: { readonly id: string; readonly block: AnswerBlock; text: string } | null = null

  function endThought(): void {
    thought?.block.remove()
    thought = null
  }

  function delta({ kind, id, offset, text }: Delta): void {
    if (kind === 'text') {
      endThought()
      events.onActivity('Answering…')
      // The model answers again after a connection broke: its first attempt is replaced.
      if (answer && answer.id !== id) answer.block.remove()
      if (answer?.id !== id) answer = { id, block: transcript.answer(), text: '', missed: false }
      if (offset > answer.text.length) answer.missed = true
      answer.text = answer.text.slice(0, offset) + text
      answer.block.set(answer.text)
    }
    if (kind === 'thinking') {
      events.onActivity('Thinking…')
      if (thought?.id !== id) {
        endThought()
        thought = { id, block: transcript.thinking(), text: '' }
      }
      thought.text = thought.text.slice(0, offset) + text
      thought.block.set(thought.text)
    }
    if (kind === 'status') events.onActivity(text === '' ? 'Working…' : singleLine(text, 200))
    if (kind === 'progress') progress(id, offset, text)
  }

  /** What a command prints while it runs. */
  function progress(id: string, offset: number, text: string): void {
    const call = calls.get(id)
    if (!call) return
    call.output = (call.output.slice(0, offset) + text).slice(-keptOutput)
    call.block.set(
      `${painted('cyan', '→')} ${call.title}`,
      endOf(call.output, shownOutput).map((line) => painted('dim', line)),
    )
  }

  function completed(message_id: string): void {
    if (answer?.id !== message_id) return
    if (answer.missed)
      transcript.note(painted('dim', 'Part of this response did not arrive here. Reopen the conversation to see all of it.'))
    answer = null
  }

  function called({ call_id, tool, arguments: text }: Extract<RunStep, { kind: 'tool.call' }>): void {
    endThought()
    tools.set(call_id, tool)
    const what = callTitle(tool, text) ?? `${stripControls(tool)} ${singleLine(text, 200)}`
    const title = `${painted('cyan', '→')} ${what}`
    const block = transcript.call()
    block.set(title)
    calls.set(call_id, { tool, title: what, block, output: '' })
    events.onActivity(what)
  }

  /** Its output belongs below the approval, not above it. */
  function allowed(call_id: string): void {
    const call = calls.get(call_id)
    if (!call) return
    call.block.remove()
    call.block = transcript.call()
    call.block.set(`${painted('cyan', '→')} ${call.title}`)
    events.onActivity(call.title)
  }

  function settled(step: Extract<RunStep, { kind: 'tool.result' }>): void {
    const call = calls.get(step.call_id)
    calls.delete(step.call_id)
    events.onActivity('Working…')
    if (!call) return
    const isGood = displayedOutcome(call.tool, step.outcome, step.output) === 'succeeded'
    const mark = isGood ? painted('green', '✓') : painted('red', '✗')
    const why = singleLine(failureText(step), 500)
    const outcome = step.outcome === 'succeeded' || why !== '' ? '' : `${step.outcome.replaceAll('_', ' ')} `
    const summary = why === '' ? singleLine(`${outcome}${outputSummary(call.tool, step.output)}`, 500) : ''
    const lines = [...(why === '' ? [] : [why]), ...outputLines(call.tool, step.output, shownOutput)]
    call.block.set(
      `${mark} ${call.title}${summary === '' ? '' : painted('dim', ` · ${summary}`)}`,
      lines.map((line) => painted('dim', line)),
    )
  }

  function step(one: RunStep): void {
    names.add(one)
    switch (one.kind) {
      case 'message.completed':
        completed(one.message_id)
        break
      case 'tool.call':
        called(one)
        break
      case 'approval.answered':
        allowed(one.call_id)
        break
      case 'tool.result':
        settled(one)
        events.onTurn()
        break
      case 'model.called':
        events.onActivity('Working…')
        break
      case 'model.completed':
        events.onUsage(one.usage)
        events.onTurn()
        break
      case 'todos.changed':
        events.onTodos(one.todos)
        break
      default:
        other(one)
    }
  }

  function other(one: RunStep): void {
    if (one.kind === 'run.paused' || one.kind === 'run.completed' || one.kind === 'run.failed' || one.kind === 'run.canceled') {
      endThought()
      answer = null
    }
    const text = lineFor(one, tools, names, process.stdout)
    if (text !== null) transcript.note(text)
  }

  /** Otherwise a model that does not respond looks like one that is thinking. */
  function retry(event: RuntimeEvent): void {
    if (event.event !== 'model_call_failed' || !event.data.will_retry) return
    transcript.note(painted('yellow', `! ${singleLine(retryText(event.data, event.failure_contract?.details.message ?? ''), 500)}`))
  }

  return {
    settle: () => undefined,
    recall(one) {
      names.add(one)
      if (one.kind === 'tool.call') tools.set(one.call_id, one.tool)
    },
    member(member, one) {
      names.add(one)
      const text = memberLine(member, one, names, process.stdout)
      if (text !== null) transcript.note(text)
    },
    news(news) {
      if (news.kind === 'delta') delta(news.delta)
      if (news.kind === 'step') step(news.step)
      if (news.kind === 'event') retry(news.recorded.event)
      if (news.kind === 'lost') transcript.note(painted('yellow', `The connection to Tandem was lost: ${stripControls(news.reason)}.`))
    },
  }
}
