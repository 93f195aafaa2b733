import { type ReactNode, use } from 'react'
import { FormActions } from './form.tsx'
import { PrimaryButton } from './primary-button.tsx'
import { FormContext } from './use-form.ts'

/** The submit button of a form, which cannot be pressed again while the form is sent, and further buttons. */
export function SubmitActions({ label, className = '', children }: { label: string; className?: string; children?: ReactNode }) {
  const form = use(FormContext)
  return (
    <FormActions className={className}>
      <PrimaryButton type="submit" disabled={form?.isBusy ?? false}>
        {label}
      </PrimaryButton>
      {children}
    </FormActions>
  )
}
