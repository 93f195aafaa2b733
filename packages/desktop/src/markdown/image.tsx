// An image in a text. One in the folder of the conversation is shown; one on another machine is a link, so that nothing is requested from
// there before a click.
import { createContext, use, useEffect, useState } from 'react'
import { readingWords } from '../strings/reading.ts'

/** Returns the address of an image in the folder of the conversation; null if there is none. `shown_in`: the row that shows it. */
export type FindImage = (path: string, shown_in: string) => Promise<string | null>

export const ImagesContext = createContext<FindImage | null>(null)

/** The id of the row that a text is in. */
export const ShownInContext = createContext('')

export function MarkdownImage({ text, target }: { text: string; target: string }) {
  const find = use(ImagesContext)
  const shown_in = use(ShownInContext)
  const isRemote = /^https?:\/\//i.test(target)
  const isFile = !isRemote && (/^file:\/\//i.test(target) || !/^[a-z][a-z0-9+.-]*:/i.test(target))
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!isFile || !find) return
    let isGone = false
    void find(target, shown_in).then((found) => isGone || setUrl(found))
    return () => {
      isGone = true
    }
  }, [isFile, find, target, shown_in])
  if (isRemote) {
    return (
      <a href={target} target="_blank" rel="noreferrer noopener" title={target}>
        {readingWords.remoteImage(text, target)}
      </a>
    )
  }
  if (url === null) return <span className="text-soft">{`${text} (${target})`}</span>
  return (
    <a href={url} download={target.split('/').at(-1)} className="prose-image">
      <img src={url} alt={text || target} decoding="async" onError={() => setUrl(null)} />
    </a>
  )
}
