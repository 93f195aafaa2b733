import type { ButtonHTMLAttributes } from 'react'

export function PrimaryButton({ className = '', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      className={`rounded-md border border-ink bg-ink px-3 py-1.5 text-canvas text-sm hover:opacity-90 disabled:opacity-40 ${className}`}
      {...rest}
    />
  )
}
