import type { ComponentProps } from 'react'

export function Button({ className = '', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={`rounded-md border border-line-strong bg-surface px-3 py-1.5 text-sm hover:border-faint disabled:opacity-50 aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-canvas ${className}`}
      {...rest}
    />
  )
}
