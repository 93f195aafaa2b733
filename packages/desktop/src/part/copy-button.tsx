import { useState } from 'react'
import { words } from '../strings/window.ts'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label = words.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch (error) {
      console.warn('the clipboard refused', error)
    }
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? words.copied : label}
      title={copied ? words.copied : label}
      className="icon-button"
    >
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  )
}
