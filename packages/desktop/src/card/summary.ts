// The one-line summary of a card.
import type { Card } from '@tandem/contract/card'
import { sentence } from '@tandem/contract/text'
import { words } from '../strings/window.ts'

export function summaryOfCard(card: Card): string {
  switch (card.kind) {
    case 'Thinking':
      return card.complete ? firstLine(card.text) : words.cards.thinking
    case 'ToolCall':
      return firstLine(card.arguments)
    case 'ToolResult':
      return card.failure_contract ? messageLine(card.failure_contract.details.message) : ''
    case 'ContextCompact':
      return words.cards.tokens(card.tokens_before, card.tokens_after)
    case 'Workflow':
      return `${card.name}, ${words.cards.nodes(card.nodes_done, card.nodes_total)}`
    case 'McpStatus':
      return card.name
    case 'RunStatus':
      return card.pause_reason ? words.cards.pause[card.pause_reason] : card.title
    case 'Error':
      return messageLine(card.failure_contract.details.message)
    case 'TodoCard':
      return firstLine(card.todos.find(({ state }) => state === 'in_progress' || state === 'pending')?.title ?? '')
    case 'QuestionCard':
      return firstLine(card.question.question)
  }
}

export function todosDoneText(todos: Extract<Card, { kind: 'TodoCard' }>['todos']): string {
  const living = todos.filter(({ state }) => state !== 'deleted')
  return words.cards.todosDone(living.filter(({ state }) => state === 'completed').length, living.length)
}

/** A message that is one line is a sentence; otherwise its first line goes on. */
export function messageLine(message: string): string {
  const line = firstLine(message)
  return line === message.trim() ? sentence(line) : line
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.slice(0, 300)
}
