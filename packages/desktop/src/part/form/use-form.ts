// The state of a form: which field is invalid, why it was refused, or that it was saved.
import { sentence } from '@tandem/contract/text'
import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import type { CallError, CallResult } from '../../connection/channel.ts'
import { words } from '../../strings/window.ts'

/** `fields` have the names of the command's parameters, such as `policy.rate_limit.calls`. */
export type FormProblem = Pick<CallError, 'message' | 'remedy' | 'fields'> & { readonly code?: CallError['code'] }

export interface FormState {
  readonly problem: FormProblem | null
  /** The confirmation that it was saved, until something is edited. */
  readonly confirmation: string
  readonly isBusy: boolean
  /** Calls a command with the input. Shows `confirmation` if it succeeds, otherwise the errors. */
  send<Value>(call: () => Promise<CallResult<Value>>, confirmation?: string): Promise<CallResult<Value>>
  /** Shows a problem that is found without calling the runtime. */
  refuse(problem: FormProblem): void
  edited(): void
  /** The fields that are shown; errors of other fields are shown at the end of the form. */
  readonly shown: Set<string>
}

interface Notices {
  /** The name of the action in a notice. A notice of an earlier attempt is removed when the form is accepted. */
  readonly doing: string
  /** For forms that may be gone when the response arrives: errors that no field shows become a notice. */
  readonly general?: 'form' | 'notice'
}

export function useForm({ doing, general = 'form' }: Partial<Notices> = {}): FormState {
  const client = useRuntimeClient()
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [confirmation, setConfirmation] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [shown] = useState(() => new Set<string>())
  const send = useCallback(
    async <Value>(call: () => Promise<CallResult<Value>>, text = ''): Promise<CallResult<Value>> => {
      setBusy(true)
      setConfirmation('')
      const answer = await call()
      setBusy(false)
      const isNotice = !answer.ok && general === 'notice' && hasErrorOutside(answer.error, shown)
      setProblem(answer.ok || isNotice ? null : { ...answer.error })
      if (answer.ok) setConfirmation(text)
      if (doing === undefined) return answer
      if (isNotice) client.showError(doing, answer.error)
      else if (answer.ok || general === 'notice') client.succeeded(doing)
      return answer
    },
    [client, doing, general, shown],
  )
  const edited = useCallback(() => setConfirmation(''), [])
  // A new object each time: the same problem twice moves the focus twice.
  const refuse = useCallback((found: FormProblem) => setProblem({ ...found }), [])
  return useMemo(
    () => ({ problem, confirmation, isBusy, send, refuse, edited, shown }),
    [problem, confirmation, isBusy, send, edited, refuse, shown],
  )
}

export const FormContext = createContext<FormState | null>(null)

/** The error that a field shows. Editing the field clears it. */
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

/** The field's own error, or the first one inside of it: a list of hosts is one field. */
export function errorAt({ code, remedy, fields = [] }: FormProblem, field: string): string | null {
  const found = fields.find((one) => one.field === field) ?? fields.find((one) => isInside(one.field, field))
  if (!found) return null
  const [, index] = /^\[(\d+)\]/.exec(found.field.slice(field.length)) ?? []
  const error = sentence(index === undefined ? found.message : words.atLine(Number(index) + 1, found.message))
  // For an invalid value the remedy would only repeat the error.
  return code === 'invalid_params' ? error : `${error} ${remedy}`
}

/** Whether there is an error that no field of the form shows. */
export function hasErrorOutside({ fields = [] }: FormProblem, shown: ReadonlySet<string>): boolean {
  return fields.length === 0 || fields.some(({ field }) => ![...shown].some((one) => one === field || isInside(field, one)))
}

function isInside(field: string, outer: string): boolean {
  return field.startsWith(`${outer}.`) || field.startsWith(`${outer}[`)
}

/** A draft of a stored value. The draft follows when the value changes, and the confirmation stays. */
export function useDraft<Value>(stored: Value): [Value, (next: Value) => void] {
  const [draft, setDraft] = useState({ of: JSON.stringify(stored), value: stored })
  const latest = useRef(stored)
  latest.current = stored
  const of = JSON.stringify(stored)
  if (draft.of !== of) setDraft({ of, value: stored })
  const set = useCallback((value: Value) => setDraft({ of: JSON.stringify(latest.current), value }), [])
  return [draft.of === of ? draft.value : stored, set]
}
