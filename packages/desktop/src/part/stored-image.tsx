// An image stored by the runtime: an attachment of a message, or a screenshot of a tool.
import { filesPath } from '@tandem/contract/command'
import { useState } from 'react'
import { writingWords } from '../strings/composer.ts'
import { visibleText } from '../text/visible.ts'

interface PictureProps {
  readonly file_id: string
  readonly name: string
  readonly width?: number
  readonly height?: number
  readonly className?: string
}

/** Its size is known before it loads, so the layout does not shift; a click opens it on its own. */
export function StoredImage({ file_id, name, width, height, className = '' }: PictureProps) {
  const [isGone, setGone] = useState(false)
  const address = filesPath + encodeURIComponent(file_id)
  if (isGone) return <span className="text-faint text-sm">{writingWords.notHere}</span>
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className="shrink-0 rounded-md">
      <img
        src={address}
        alt={writingWords.picture(visibleText(name))}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        onError={() => setGone(true)}
        className={`rounded-md border border-line ${className}`}
      />
    </a>
  )
}
