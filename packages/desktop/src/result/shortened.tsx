// A text whose middle may be left out.
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { LongText } from './long-text.tsx'

interface Props {
  readonly text: string
  /** Empty when `text` is all of it. */
  readonly end: string
  readonly file: string | null
}

export function TruncatedText({ text, end, file }: Props) {
  return (
    <div className="space-y-2">
      <LongText text={text} />
      {end !== '' && (
        <>
          <p className="wrap-anywhere text-faint text-sm">{visibleText(words.result.shortened(file))}</p>
          <LongText text={end} />
        </>
      )}
    </div>
  )
}
