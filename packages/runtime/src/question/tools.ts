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
    question: Type.String({ minLength: 1, maxLength: 65_536, description: 'What you want to know, with what the user needs to decide' }),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String({ ...line, description: 'What comes back when it is chosen' }),
            label: Type.Optional(Type.String({ ...line, description: 'What the user reads; the value when left out' })),
            hint: Type.Optional(Type.String({ ...line, description: 'What choosing it means' })),
          },
          closed,
        ),
        { maxItems: 20, description: 'What the user may choose from; none for an open question' },
      ),
    ),
    multiple: Type.Optional(Type.Boolean({ description: 'Whether more than one option may be chosen; false when left out' })),
    allows_text: Type.Optional(Type.Boolean({ description: 'Whether the user may answer in words instead; true when left out' })),
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
      'Ask the user a question and wait for the answer, however long it takes. Use it when a decision is the user’s to make or when you ' +
      'lack something only they know. Do not ask for leave to use a tool: that is asked for you.',
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
      // The answer was checked when it was given; the pipeline checks it again as the result of this call.
      if (end.outcome === 'completed') return end.value as AskUserOutput
      throw new ToolFailure('not_answered', 'the user did not answer in time')
    },
    abandoned: ({ id }: Wait) => questions.withdraw(id),
    present: presentAnswer,
  } satisfies Tool<typeof Input, typeof AskUserOutput>
}

/** What the user is shown for a call. Options that have the same value are one. */
export function questionOf(question_id: string, call_id: string, input: unknown): QuestionPrompt {
  const { question, options = [], multiple = false, allows_text = true } = input as Static<typeof Input>
  const unique = [...new Map(options.map((option) => [option.value, option])).values()]
  return {
    question_id,
    call_id,
    question,
    options: unique.map(({ value, label, hint }) => ({ value, label: label ?? value, ...(hint ? { hint } : {}) })),
    multiple,
    // Without options words are the only way to answer.
    allows_text: allows_text || unique.length === 0,
  }
}

function presentAnswer({ chosen, text }: AskUserOutput): string {
  const parts = [chosen.length > 0 ? `The user chose: ${chosen.join(', ')}` : '', text ? `The user wrote: ${text}` : '']
  return parts.filter(Boolean).join('\n')
}
