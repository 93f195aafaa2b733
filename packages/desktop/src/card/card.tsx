// Every kind of card, with the content below its line.
import type { Card, Disclosure } from '@tandem/contract/card'
import { isTerminalRunState, type RunState } from '@tandem/contract/run'
import { RunLessonLine } from '../learning/conversation/run-lesson.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { mcpBadge, runBadge } from '../part/state-tones.ts'
import { Failure } from '../result/failure.tsx'
import type { ToolResultCard } from '../store/thread.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { CallCard, callTones, ResultBody, resultLine } from './call-card.tsx'
import { CardFrame } from './card-frame.tsx'
import { McpStatusBody } from './mcp-status.tsx'
import { QuestionBody } from './question-body.tsx'
import { RunActions, RunLine } from './run-line.tsx'
import { RunStatusBody } from './run-status.tsx'
import { summaryOfCard, todosDoneText } from './summary.ts'
import { TodoBody } from './todo-body.tsx'
import { WorkflowCard } from './workflow-card.tsx'

interface Props {
  readonly card: Card
  readonly state: RunState
  readonly disclosure: Disclosure
  /** The result of a call. */
  readonly result?: ToolResultCard | undefined
  /** How often an error occurred in a row. */
  readonly times?: number | undefined
}

export function CardView({ card, state, disclosure, result, times = 1 }: Props) {
  // Almost all cards; it has a line of its own.
  if (card.kind === 'ToolCall') return <CallCard call={card} result={result} state={state} disclosure={disclosure} />
  const frame = { card, state, disclosure, title: words.cards.kinds[card.kind], line: visibleText(summaryOfCard(card)) }
  switch (card.kind) {
    case 'Thinking':
      return (
        <CardFrame {...frame} badge={{ tone: 'plain', text: card.complete ? words.cards.thought : words.cards.thinking }}>
          {() => (
            <div className="text-soft text-sm">
              <Markdown text={card.text} />
            </div>
          )}
        </CardFrame>
      )
    case 'ToolResult':
      return (
        <CardFrame
          {...frame}
          title={<code className="text-soft">{visibleText(card.tool)}</code>}
          line={visibleText(resultLine(card))}
          badge={{ tone: callTones[card.outcome], text: words.cards.call[card.outcome] }}
        >
          {() => <ResultBody result={card} />}
        </CardFrame>
      )
    case 'ContextCompact':
      return (
        <CardFrame {...frame} badge={{ tone: 'plain', text: words.cards.tokens(card.tokens_before, card.tokens_after) }}>
          {() => <Markdown text={card.summary} />}
        </CardFrame>
      )
    case 'Workflow':
      return <WorkflowCard card={card} state={state} disclosure={disclosure} />
    case 'McpStatus':
      return (
        <CardFrame {...frame} badge={mcpBadge(card)}>
          {() => <McpStatusBody card={card} />}
        </CardFrame>
      )
    case 'RunStatus':
      return (
        <>
          <CardFrame
            {...frame}
            line={<RunLine card={card} />}
            whileOpen={() => <RunLine card={card} />}
            actions={<RunActions card={card} />}
            badge={runBadge(card)}
          >
            {() => <RunStatusBody card={card} />}
          </CardFrame>
          {isTerminalRunState(card.state) && <RunLessonLine card={card} />}
        </>
      )
    case 'Error':
      return (
        <CardFrame {...frame} badge={{ tone: 'bad', text: times > 1 ? words.times(times) : words.cards.call.failed }}>
          {() => <Failure contract={card.failure_contract} />}
        </CardFrame>
      )
    case 'TodoCard':
      return (
        <CardFrame {...frame} badge={{ tone: 'plain', text: todosDoneText(card.todos) }}>
          {() => <TodoBody conversation_id={card.conversation_id} todos={card.todos} />}
        </CardFrame>
      )
    case 'QuestionCard':
      return (
        <CardFrame {...frame} badge={{ tone: card.answer ? 'good' : 'warn', text: card.answer ? words.cards.answered : words.cards.open }}>
          {() => <QuestionBody run_id={card.run_id} question={card.question} answer={card.answer} />}
        </CardFrame>
      )
  }
}
