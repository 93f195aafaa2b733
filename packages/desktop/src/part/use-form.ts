// What became of a form: which field is wrong, why it was not accepted, or that it was saved.
import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Answer, CallError } from '../connection/channel.ts'
import { useDesk } from '../desk/use-desk.ts'

/** `fields` are named as the command names them, such as `policy.rate_limit.calls`. */
export type FormProblem = Pick<CallError, 'message' | 'remedy' | 'fields'> & { readonly code?: CallError['code'] }

export interface FormState {
  readonly problem: FormProblem | null
  /** That it was saved, until something is edited. */
  readonly said: string
  readonly isBusy: boolean
  /** Calls a command with what was entered. `said` is shown when it succeeds, and so is what is wrong when it does not. */
  send<Value>(call: () => Promise<Answer<Value>>, said?: string): Promise<Answer<Value>>
  /** What can be seen without asking. */
  refuse(problem: FormProblem): void
  edited(): void
  /** The fields that are shown; the problems of others are shown at the end of the form. */
  readonly shown: Set<string>
}

interface Notices {
  /** What a notice calls it. One that an earlier attempt left behind goes when the form is accepted. */
  readonly doing: string
  /** For forms that may be gone when the answer comes: what no field shows is a notice. */
  readonly general?: 'form' | 'notice'
}

export function useForm({ doing, general = 'form' }: Partial<Notices> = {}): FormState {
  const desk = useDesk()
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [shown] = useState(() => new Set<string>())
  const send = useCallback(
    async <Value>(call: () => Promise<Answer<Value>>, text = ''): Promise<Answer<Value>> => {
      setBusy(true)
      setSaid('')
      const answer = await call()
      setBusy(false)
      const isNotice = !answer.ok && general === 'notice' && isElsewhere(answer.error, shown)
      setProblem(answer.ok || isNotice ? null : { ...answer.error })
      if (answer.ok) setSaid(text)
      if (doing === undefined) return answer
      if (isNotice) desk.refuse(doing, answer.error)
      else if (answer.ok || general === 'notice') desk.succeeded(doing)
      return answer
    },
    [desk, doing, general, shown],
  )
  const edited = useCallback(() => setSaid(''), [])
  // A new object each time: the same problem twice moves the focus twice.
  const refuse = useCallback((found: FormProblem) => setProblem({ ...found }), [])
  return useMemo(() => ({ problem, said, isBusy, send, refuse, edited, shown }), [problem, said, isBusy, send, edited, refuse, shown])
}

export const FormContext = createContext<FormState | null>(null)

/** What a field of a form has to show of what is wrong with it. Editing it takes that away. */
export function useField(field: string | undefined) {
  const form = use(FormContext)
  const id = useId()
  const [edited, setEdited] = useState<FormProblem | null>(null)
  const { shown } = form ?? {}
  useEffect(() => {
    if (field === undefined) return
    shown?.add(field)
    return () => void shown?.delete(field)
  }, [field, shown])
  const problem = form?.problem ?? null
  const error = field === undefined || problem === null || problem === edited ? null : errorAt(problem, field)
  return {
    error,
    errorId: id,
    input: {
      'data-field': field,
      'aria-invalid': error === null ? undefined : true,
      'aria-describedby': error === null ? undefined : id,
    },
    onEdit: () => setEdited(problem),
  }
}

/** Its own error, or the first one inside of it: a list of hosts is one field. */
export function errorAt({ code, remedy, fields = [] }: FormProblem, field: string): string | null {
  const found = fields.find((one) => one.field === field) ?? fields.find((one) => isInside(one.field, field))
  if (!found) return null
  const [, index] = /^\[(\d+)\]/.exec(found.field.slice(field.length)) ?? []
  const error = sentence(index === undefined ? found.message : `line ${Number(index) + 1} ${found.message}`)
  // That the field is to be corrected goes without saying.
  return code === 'invalid_params' ? error : `${error} ${remedy}`
}

/** Whether something is wrong that no field of the form shows. */
export function isElsewhere({ fields = [] }: FormProblem, shown: ReadonlySet<string>): boolean {
  return fields.length === 0 || fields.some(({ field }) => ![...shown].some((one) => one === field || isInside(field, one)))
}

function isInside(field: string, outer: string): boolean {
  return field.startsWith(`${outer}.`) || field.startsWith(`${outer}[`)
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

/** A draft of something that is stored. When that changes the draft follows it, and what was saved is still said. */
export function useDraft<Value>(stored: Value): [Value, (next: Value) => void] {
  const [draft, setDraft] = useState({ of: JSON.stringify(stored), value: stored })
  const latest = useRef(stored)
  latest.current = stored
  const of = JSON.stringify(stored)
  if (draft.of !== of) setDraft({ of, value: stored })
  const set = useCallback((value: Value) => setDraft({ of: JSON.stringify(latest.current), value }), [])
  return [draft.of === of ? draft.value : stored, set]
}
