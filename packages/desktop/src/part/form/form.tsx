// A form that shows errors next to their fields. The first invalid field gets the focus.
import { type FormEvent, type ReactNode, type RefObject, use, useEffect, useRef } from 'react'
import { visibleSentence } from '../../text/sentence.ts'
import { visibleText } from '../../text/visible.ts'
import { FormContext, type FormState, hasErrorOutside } from './use-form.ts'

interface Props {
  readonly form: FormState
  onSubmit(): void
  readonly className?: string
  readonly children: ReactNode
}

export function Form({ form, onSubmit, className, children }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  useFocusOnProblem(form, element)
  return (
    <FormContext value={form}>
      {/* The browser's own messages have other words, and are not next to the field. */}
      <form ref={element} noValidate onSubmit={submit} onChange={form.edited} className={className}>
        {children}
      </form>
    </FormContext>
  )
}

/** Focuses the first invalid field in `around`, once per problem. */
export function useFocusOnProblem({ problem }: FormState, around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (problem) around.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem, around])
}

/** The submit button, with errors that no field shows above it and a confirmation next to it. */
export function FormActions({ children, className = '' }: { children: ReactNode; className?: string }) {
  const form = use(FormContext)
  return (
    <div className={className}>
      <FormError />
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <span role="status" className="text-good text-sm">
          {form?.confirmation}
        </span>
      </div>
    </div>
  )
}

/** Why a form was refused and what to do, announced as soon as it appears. */
export function FormError() {
  const form = use(FormContext)
  const problem = form?.problem && hasErrorOutside(form.problem, form.shown) ? form.problem : null
  return (
    <div role="alert" className="mb-3 break-words text-bad text-sm empty:hidden">
      {problem && (
        <>
          <p className="font-medium">{visibleSentence(problem.message)}</p>
          <p>{visibleText(problem.remedy)}</p>
        </>
      )}
    </div>
  )
}

/** The error below a field. */
export function FieldError({ id, error }: { id: string; error: string | null }) {
  return error === null ? null : (
    <div id={id} role="alert" className="mt-1 break-words text-bad text-sm">
      <p>{visibleText(error)}</p>
    </div>
  )
}
