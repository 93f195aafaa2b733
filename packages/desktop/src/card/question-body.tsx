// A question of the agent. The run continues when it is answered.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import { useId, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { FieldError, Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { useField, useForm } from '../part/form/use-form.ts'
import { isOnOtherDevice } from '../store/open-run.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

interface Props {
  readonly run_id: string
  readonly question: QuestionPrompt
  readonly answer: QuestionAnswer | null
}

/** A question in the thread. It is answered above the composer, where it cannot be scrolled out of view. */
export function QuestionBody({ run_id, question, answer }: Props) {
  const isAway = useWindowState((state) => isOnOtherDevice(state, state.runs.get(run_id)))
  if (answer) return <Answered question={question} answer={answer} />
  return (
    <div className="space-y-1">
      <p className="whitespace-pre-wrap break-words">{visibleText(question.question)}</p>
      <p className="text-faint text-sm">{isAway ? words.question.elsewhere : words.question.below}</p>
    </div>
  )
}

function Answered({ question, answer }: { question: QuestionPrompt; answer: QuestionAnswer }) {
  const labels = answer.chosen.map((value) => question.options.find((option) => option.value === value)?.label ?? value)
  return (
    <div className="space-y-1">
      <p className="whitespace-pre-wrap break-words">{visibleText(question.question)}</p>
      <p className="text-soft">
        {words.question.answered}: {visibleText([...labels, ...(answer.text ? [answer.text] : [])].join(', '))}
      </p>
    </div>
  )
}

export function QuestionForm({ run_id, question }: Omit<Props, 'answer'>) {
  const client = useRuntimeClient()
  const name = useId()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const form = useForm({ doing: words.doing.answer, general: 'notice' })
  const own = text.trim()
  const toggle = (value: string) =>
    setChosen((now) => (question.multiple ? (now.includes(value) ? now.filter((one) => one !== value) : [...now, value]) : [value]))
  const send = async () => {
    const answer: QuestionAnswer = chosen.length > 0 ? { chosen: [...chosen], text: own || null } : { chosen: [], text: own }
    const params = { run_id, answer: { kind: 'question', question_id: question.question_id, answer } } as const
    await form.send(() => client.channel.call('agent_run_resume', params))
    void client.refreshLists()
  }
  return (
    <Form form={form} onSubmit={send} className="space-y-3">
      <p className="whitespace-pre-wrap break-words font-medium">{visibleText(question.question)}</p>
      {question.options.length > 0 && (
        <fieldset className="space-y-1.5">
          <legend className="mb-1 text-faint text-sm">{question.multiple ? words.question.chooseMany : words.question.choose}</legend>
          {question.options.map(({ value, label, hint }) => (
            <label key={value} className="option">
              <input
                type={question.multiple ? 'checkbox' : 'radio'}
                name={name}
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className="mt-1.5 accent-(--cloud)"
              />
              <span className="min-w-0">
                {visibleText(label)}
                {hint && <span className="block text-faint text-sm">{visibleText(hint)}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {question.allows_text && <OwnAnswer value={text} onChange={setText} />}
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy || (chosen.length === 0 && own === '')}>
          {words.question.answer}
        </PrimaryButton>
      </FormActions>
    </Form>
  )
}

function OwnAnswer({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { error, errorId, input, onEdit } = useField('answer.answer.text')
  return (
    <div>
      <textarea
        value={value}
        onChange={(event) => {
          onEdit()
          onChange(event.target.value)
        }}
        rows={2}
        aria-label={words.question.ownLabel}
        placeholder={words.question.own}
        className="field w-full"
        {...input}
      />
      <FieldError id={errorId} error={error} />
    </div>
  )
}
