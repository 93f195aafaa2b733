// A run in the terminal: the answer on standard output, everything else on standard error.
import type { Delta } from '@tandem/contract/command'
import { type RuntimeEvent, retryText } from '@tandem/contract/event'
import { callTitle, type RunStep, stepLine } from '@tandem/contract/run'
import { sentence } from '@tandem/contract/text'
import { displayedOutcome } from '@tandem/contract/tool'
import { outputSummary } from '@tandem/contract/tool/output'
import type { RunUpdate } from '../runtime-client/runtime-client.ts'
import { columnsOf, styled } from '../terminal/style.ts'
import { singleLine, stripControls } from '../terminal/terminal-text.ts'
import { openAnswerText } from './answer-text.ts'
import { commandText } from './command-text.ts'
import { denialReason } from './failure-text.ts'
import { type FollowedMember, memberLine, type TeamNames, teamNames, teamText } from './member-printer.ts'

export interface Printer {
  news(news: RunUpdate): void
  /** A step of a run that the followed one, or one of its members, has started. */
  member(member: FollowedMember, step: RunStep): void
  /** A step that was shown earlier: later steps may refer to it. */
  recall(step: RunStep): void
  /** Moves to the beginning of a line if necessary. */
  settle(): void
}

export function prettyPrinter(out: NodeJS.WriteStream = process.stdout, beside: NodeJS.WriteStream = process.stderr): Printer {
  const tools = new Map<string, string>()
  const names = teamNames()
  const shown = new Map<string, number>()
  const reported = new Set<string>()
  let openLine: 'out' | 'beside' | 'status' | null = null
  const answer = openAnswerText({
    isLive: out.isTTY === true,
    write(text) {
      if (openLine === 'beside' || openLine === 'status') settle()
      out.write(text)
      openLine = text.endsWith('\n') ? null : 'out'
    },
    note: (text) => say(styled('dim', text, beside)),
  })

  function settle(): void {
    if (openLine === 'out') out.write('\n')
    if (openLine === 'beside') beside.write('\n')
    if (openLine === 'status') beside.write(eraseLine)
    openLine = null
  }

  function say(text: string): void {
    settle()
    beside.write(`${text}\n`)
  }

  /** On a terminal the line is overwritten; elsewhere it is printed once per call. */
  function status(id: string, text: string): void {
    const shownText = styled('dim', singleLine(text, columnsOf(beside) - 1), beside)
    if (beside.isTTY) {
      settle()
      if (text === '') return
      beside.write(shownText)
      openLine = 'status'
    } else if (text !== '' && !reported.has(id)) {
      reported.add(id)
      say(shownText)
    }
  }

  function delta({ kind, id, offset, text }: Delta): void {
    if (kind === 'text') answer.arrived(id, offset, text)
    if (kind === 'status') status(id, text)
    if (kind !== 'thinking') return
    const from = shown.get(id) ?? 0
    const fresh = text.slice(Math.max(0, from - offset))
    shown.set(id, Math.max(from, offset + text.length))
    if (fresh === '') return
    if (openLine === 'out' || openLine === 'status') settle()
    beside.write(styled('dim', stripControls(fresh), beside))
    openLine = 'beside'
  }

  function step(one: RunStep): void {
    names.add(one)
    if (one.kind === 'tool.call') tools.set(one.call_id, one.tool)
    if (one.kind === 'message.completed') {
      answer.completed(one.message_id)
      settle()
    }
    if (endsRun(one)) answer.abandon()
    const text = lineFor(one, tools, names, beside)
    if (text !== null) say(text)
  }

  /** Otherwise a model that does not respond looks like one that is thinking. */
  function retry(event: RuntimeEvent): void {
    if (event.event !== 'model_call_failed' || !event.data.will_retry) return
    say(styled('yellow', `! ${singleLine(retryText(event.data, event.failure_contract?.details.message ?? ''), 500)}`, beside))
  }

  return {
    settle,
    recall(one) {
      names.add(one)
      if (one.kind === 'tool.call') tools.set(one.call_id, one.tool)
    },
    member(member, one) {
      names.add(one)
      const text = memberLine(member, one, names, beside)
      if (text !== null) say(text)
    },
    news(news) {
      if (news.kind === 'delta') delta(news.delta)
      if (news.kind === 'step') step(news.step)
      if (news.kind === 'event') retry(news.recorded.event)
      if (news.kind === 'lost') say(`tandem: ${stripControls(news.reason)}`)
    },
  }
}

/** Moves to the beginning of the line and clears it. */
const eraseLine = '\r\x1b[2K'

/** An answer does not continue after these. */
function endsRun({ kind }: RunStep): boolean {
  return kind === 'run.paused' || kind === 'run.completed' || kind === 'run.failed' || kind === 'run.canceled'
}

/** The text of a step; null for steps that are not shown. */
export function lineFor(step: RunStep, tools: ReadonlyMap<string, string>, names: TeamNames, beside: NodeJS.WriteStream): string | null {
  switch (step.kind) {
    case 'tool.call': {
      const title = callTitle(step.tool, step.arguments)
      if (title !== null) return styled('cyan', `→ ${title}`, beside)
      const room = columnsOf(beside) - step.tool.length - 4
      return `${styled('cyan', `→ ${stripControls(step.tool)}`, beside)} ${singleLine(step.arguments, room)}`
    }
    case 'tool.result': {
      const called = tools.get(step.call_id)
      const tool = stripControls(called ?? 'the call')
      if (called !== undefined && displayedOutcome(called, step.outcome, step.output) !== step.outcome) {
        return commandText(called, step.output, beside)
      }
      if (step.outcome === 'succeeded') {
        const told = called === undefined ? '' : singleLine(outputSummary(called, step.output), columnsOf(beside) - tool.length - 4)
        return `${styled('green', `✓ ${tool}`, beside)}${told === '' ? '' : ` ${told}`}`
      }
      const { message = '', remedy = '' } = step.failure_contract?.details ?? {}
      const outcome = styled('red', `✗ ${tool} ${step.outcome.replaceAll('_', ' ')}`, beside)
      const reason = denialReason(step)
      if (reason !== null) return reason === '' ? outcome : `${outcome}: ${singleLine(sentence(reason), 500)}`
      return message === '' ? outcome : `${outcome}: ${singleLine(`${sentence(message)} ${remedy}`, 500)}`
    }
    case 'todos.changed': {
      const done = step.todos.filter(({ state }) => state === 'completed').length
      return styled('dim', `${done} of ${step.todos.length} todos done`, beside)
    }
    case 'context.compacted':
      return styled('dim', `The conversation was summarized: ${step.tokens_before} → ${step.tokens_after} tokens.`, beside)
    case 'error':
      return styled('yellow', `! ${singleLine(sentence(step.failure_contract.details.message), 500)}`, beside)
    case 'run.failed': {
      const { message, remedy = '' } = step.failure_contract.details
      return `${styled('red', 'The run failed.', beside)} ${stripControls(`${sentence(message)} ${remedy}`)}`
    }
    case 'run.canceled':
      return 'The run was stopped.'
    case 'child.started':
    case 'child.ended':
    case 'team.message':
    case 'merge.applied':
      return styled('dim', singleLine(teamText(step, names), 500), beside)
    default: {
      const text = stepLine(step)
      return text === null ? null : styled('dim', singleLine(text, 500), beside)
    }
  }
}

/** One JSON object per line; nothing is left out, because programs read it. A message is printed whole when it is complete. */
export function jsonPrinter(out: NodeJS.WritableStream = process.stdout): Printer {
  const texts = new Map<string, string>()
  const write = (value: object) => out.write(`${JSON.stringify(value)}\n`)

  /** Missed deltas leave a gap: then the text is not known here. */
  function gather({ kind, id, offset, text }: Delta): void {
    const known = texts.get(id) ?? ''
    if (kind === 'text' && offset <= known.length) texts.set(id, known + text.slice(known.length - offset))
  }

  return {
    settle: () => undefined,
    recall: () => undefined,
    member: (_, step) => write({ type: 'step', step }),
    news(news) {
      if (news.kind === 'step') write({ type: 'step', step: news.step })
      if (news.kind === 'delta') {
        gather(news.delta)
        write({ type: 'delta', delta: news.delta })
      }
      if (news.kind === 'event') write({ type: 'event', ...news.recorded })
      if (news.kind === 'lost') write({ type: 'lost', reason: news.reason })
      if (news.kind === 'step' && news.step.kind === 'message.completed') {
        const { message_id } = news.step
        write({ type: 'message', message_id, text: texts.get(message_id) ?? null })
        texts.delete(message_id)
      }
    },
  }
}
