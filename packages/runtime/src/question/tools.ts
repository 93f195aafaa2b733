// `ask_user`: a question to the user. The call waits for the answer.
import type { QuestionPrompt } from '@tandem/contract/run'
import { AskUserOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../call/context.ts'
import { ToolFailure } from '../call/failure.ts'
import type { Tool } from '../call/tool.ts'
import { type Wait, type WaitEnd, Waiting } from '../call/wait.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import type { Questions } from './questions.ts'

const closed = { additionalProperties: false }
const line = { minLength: 1, maxLength: 500 }

const Input = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 65_536, description: 'The question, with everything the user needs to decide' }),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String({ ...line, description: 'The value returned if this option is chosen' }),
            label: Type.Optional(Type.String({ ...line, description: 'The text shown to the user; default: the value' })),
            hint: Type.Optional(Type.String({ ...line, description: 'What choosing this option means' })),
          },
          closed,
        ),
        { maxItems: 20, description: 'The options to choose from; leave out for an open question' },
      ),
    ),
    multiple: Type.Optional(Type.Boolean({ description: 'Whether more than one option can be chosen; default: false' })),
    allows_text: Type.Optional(Type.Boolean({ description: 'Whether the user can answer with text instead; default: true' })),
  },
  closed,
)

export interface AskUserPorts {
  readonly store: Pick<Store, 'newId'>
  readonly journal: Pick<Journal, 'run' | 'append'>
  readonly questions: Pick<Questions, 'ask' | 'withdraw'>
}

export function askUserTool({ store, journal, questions }: AskUserPorts) {
  return {
    name: 'ask_user',
    summary:
      'Ask the user a question and wait for the answer, however long it takes. Use it when a decision is up to the user or when you ' +
      'need something only they know. Do not ask for permission to use a tool: the user is asked automatically.',
    input: Input,
    output: AskUserOutput,
    effects: () => [],
    limits: { seconds: 10 },
    only_asks: true,
    async run(input: Static<typeof Input>, { ids }: Pick<ToolContext, 'ids'>) {
      const question = questionOf(store.newId(), ids.call_id, input)
      return new Waiting({ for: 'question', id: question.question_id }, () => {
        const run = journal.run(ids.run_id)
        if (!run) throw new Error(`there is no run ${ids.run_id}`)
        questions.ask(run.no, question)
        journal.append(ids.run_id, { kind: 'question.asked', question })
      })
    },
    resumed(_wait: Wait, end: WaitEnd) {
      // The answer was validated when it was given; the pipeline validates it again as the result of this call.
      if (end.outcome === 'completed') return end.value as AskUserOutput
      throw new ToolFailure('not_answered', 'the user did not answer in time')
    },
    abandoned: ({ id }: Wait) => questions.withdraw(id),
    present: presentAnswer,
  } satisfies Tool<typeof Input, typeof AskUserOutput>
}

/** The question shown to the user for a call. Options with the same value are merged. */
export function questionOf(question_id: string, call_id: string, input: unknown): QuestionPrompt {
  const { question, options = [], multiple = false, allows_text = true } = input as Static<typeof Input>
  const unique = [...new Map(options.map((option) => [option.value, option])).values()]
  return {
    question_id,
    call_id,
    question,
    options: unique.map(({ value, label, hint }) => ({ value, label: label ?? value, ...(hint ? { hint } : {}) })),
    multiple,
    // Without options, text is the only way to answer.
    allows_text: allows_text || unique.length === 0,
  }
}

function presentAnswer({ chosen, text }: AskUserOutput): string {
  const parts = [chosen.length > 0 ? `The user chose: ${chosen.join(', ')}` : '', text ? `The user wrote: ${text}` : '']
  return parts.filter(Boolean).join('\n')
}
