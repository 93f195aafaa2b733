import { useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { words } from '../strings/window.ts'

export function CopyJson({ value }: { value: unknown }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2))
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch (error) {
      console.warn('the clipboard refused', error)
    }
  }
  return <Button onClick={copy}>{isCopied ? words.copied : words.diagnostics.copy}</Button>
}
