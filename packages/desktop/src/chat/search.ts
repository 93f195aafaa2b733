// Finds text in the parts of a thread, rendered or not. Pure.
import type { Card } from '@tandem/contract/card'
import type { TeamNews } from '../store/team-news.ts'
import type { ThreadPart } from '../store/thread.ts'

/** Only the beginning of a very long result is searched. */
const longest = 20_000

/** The ids of the parts that contain the text, in order. */
export function matchingParts(parts: readonly ThreadPart[], typed: string): readonly string[] {
  const query = typed.trim().toLowerCase()
  return query === '' ? [] : parts.filter((part) => saidIn(part).toLowerCase().includes(query)).map(({ id }) => id)
}

function saidIn(part: ThreadPart): string {
  if (part.kind === 'message') return `${part.message.text}\n${part.message.attachments.map(({ name }) => name).join('\n')}`
  if (part.kind === 'text') return part.text
  if (part.kind === 'line') return part.line.text
  if (part.kind === 'queued') return part.queued.text
  if (part.kind === 'fork') return ''
  if (part.kind === 'policy') return `${part.notice.title}\n${part.notice.undone ?? ''}`
  if (part.kind === 'suggestion') return part.suggestion.title
  if (part.kind === 'team') return saidInTeam(part.news)
  return part.result ? `${saidOn(part.card)}\n${saidOn(part.result)}` : saidOn(part.card)
}

function saidInTeam(news: TeamNews): string {
  if (news.kind === 'member') return news.step.title
  return news.kind === 'message' ? `${news.step.topic ?? ''}\n${news.step.text}` : ''
}

function saidOn(card: Card): string {
  switch (card.kind) {
    case 'Thinking':
      return card.text
    case 'ToolCall':
      return `${card.tool}\n${card.arguments}`
    case 'ToolResult': {
      const output = typeof card.output === 'string' ? card.output : (JSON.stringify(card.output) ?? '')
      return `${card.tool}\n${output.slice(0, longest)}\n${card.failure_contract?.details.message ?? ''}`
    }
    case 'ContextCompact':
      return card.summary
    case 'Workflow':
    case 'McpStatus':
      return card.name
    case 'RunStatus':
      return card.title
    case 'Error':
      return card.failure_contract.details.message
    case 'TodoCard':
      return card.todos.map(({ title }) => title).join('\n')
    case 'QuestionCard':
      return `${card.question.question}\n${card.answer?.text ?? ''}`
    default:
      return ''
  }
}
