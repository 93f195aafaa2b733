// What a team has spent of its budget, and a form to raise it.
import type { TeamBudget } from '@tandem/contract/team'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Section } from '../part/section.tsx'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { raiseOf } from './raise-of.ts'

const told = teamWords.budget
const amounts = ['tokens', 'turns', 'seconds'] as const

interface Props {
  readonly run_id: string
  readonly budget: TeamBudget
  /** A member is paused because of it. */
  readonly isUsedUp: boolean
  readonly canRaise: boolean
  again(): Promise<void>
}

export function Budget({ run_id, budget, isUsedUp, canRaise, again }: Props) {
  const [isRaising, setRaising] = useState(false)
  const isOpen = canRaise && (isRaising || isUsedUp)
  return (
    <Section title={told.title} lead={told.lead}>
      {isUsedUp && (
        <p role="status" className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          {told.usedUp}
        </p>
      )}
      <dl className="mb-4 grid max-w-xl gap-3">
        {amounts.map((name) => (
          <Amount key={name} name={name} spent={budget.spent[name]} limit={budget.limit[name]} />
        ))}
      </dl>
      {canRaise && !isOpen && <Button onClick={() => setRaising(true)}>{told.raise}</Button>}
      {isOpen && <RaiseForm run_id={run_id} again={again} {...(isUsedUp ? {} : { onClose: () => setRaising(false) })} />}
    </Section>
  )
}

function Amount({ name, spent, limit }: { name: (typeof amounts)[number]; spent: number; limit: number }) {
  const text = told.of(told.amount[name](spent), told.amount[name](limit))
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-sm sm:grid-cols-[5rem_minmax(0,1fr)_minmax(0,1fr)]">
      <dt className="text-soft">{told[name]}</dt>
      <dd className="tabular-nums">{text}</dd>
      <dd className="col-span-2 sm:col-span-1">
        <progress
          value={Math.min(spent, limit)}
          max={Math.max(1, limit)}
          aria-label={`${told[name]}: ${text}`}
          data-tone={spent >= limit ? 'bad' : spent >= limit * 0.8 ? 'warn' : undefined}
          className="bar"
        />
      </dd>
    </div>
  )
}

function RaiseForm({ run_id, again, onClose }: { run_id: string; again(): Promise<void>; onClose?: () => void }) {
  const client = useRuntimeClient()
  const form = useForm()
  const [texts, setTexts] = useState({ tokens: '', turns: '', minutes: '' })
  const set = (name: keyof typeof texts) => (text: string) => setTexts({ ...texts, [name]: text })
  const raise = async () => {
    const more = raiseOf(texts)
    if (!more.ok) return form.refuse(more.problem)
    const answer = await form.send(() => client.channel.call('team_raise_budget', { run_id, ...more.value }), told.raised)
    if (!answer.ok) return
    setTexts({ tokens: '', turns: '', minutes: '' })
    await again()
  }
  return (
    <Form form={form} onSubmit={raise} className="grid max-w-xl gap-3 rounded-lg border border-line bg-sunken p-3 sm:grid-cols-3">
      <TextField label={told.more.tokens} field="tokens" value={texts.tokens} onChange={set('tokens')} type="number" hint={told.hint} />
      <TextField label={told.more.turns} field="turns" value={texts.turns} onChange={set('turns')} type="number" hint={told.hint} />
      <TextField label={told.more.minutes} field="seconds" value={texts.minutes} onChange={set('minutes')} type="number" hint={told.hint} />
      <SubmitActions label={told.send} className="sm:col-span-3">
        {onClose && <Button onClick={onClose}>{words.cancel}</Button>}
      </SubmitActions>
    </Form>
  )
}
