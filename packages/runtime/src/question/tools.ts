// `ask_user`: the one tool that a person runs. The loop pauses on it; policy, sandbox and checkpoint have nothing to say about a question.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import Type, { type Static } from 'typebox'
import type { Tool } from '../call/tool.ts'

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

export const askUser = {
  name: 'ask_user',
  summary:
    'Ask the user a question and wait for the answer, however long it takes. Use it when a decision is the user’s to make or when you ' +
    'lack something only they know. Do not ask for leave to use a tool: that is asked for you.',
  input: Input,
  effects: () => [],
  limits: { seconds: 86_400 },
  async run() {
    throw new Error('ask_user is answered by a person: the loop pauses instead of running it')
  },
  present: (output: unknown) => presentAnswer(output as QuestionAnswer),
} satisfies Tool<typeof Input>

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

function presentAnswer({ chosen, text }: QuestionAnswer): string {
  const parts = [chosen.length > 0 ? `The user chose: ${chosen.join(', ')}` : '', text ? `The user wrote: ${text}` : '']
  return parts.filter(Boolean).join('\n')
}
