// The files attached to a message, in the composer and in the bubble.
import type { Attachment } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { Icon } from '../part/icon.tsx'
import { StoredImage } from '../part/stored-image.tsx'
import { writingWords } from '../strings/composer.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleText } from '../text/visible.ts'

/** Only formats that a browser renders without executing anything: an SVG is treated as a file. */
const pictures = /^image\/(?:png|jpeg|gif|webp)$/

/** What the model is not shown, though it is attached. */
export function unseenPictures(attachments: readonly Attachment[]): readonly Attachment[] {
  return attachments.filter(({ media_type, size }) => pictures.test(media_type) && size > limits.image_bytes)
}

interface Props {
  readonly attachments: readonly Attachment[]
  readonly coming?: readonly string[]
  onRemove?(file_id: string): void
}

export function AttachmentList({ attachments, coming = [], onRemove }: Props) {
  if (attachments.length === 0 && coming.length === 0) return null
  return (
    <ul aria-label={writingWords.attached} className="flex flex-wrap gap-2">
      {attachments.map((one) => (
        <li key={one.file_id} className="attachment">
          {pictures.test(one.media_type) ? (
            <StoredImage file_id={one.file_id} name={one.name} className="h-16 w-16 object-cover" />
          ) : (
            <Icon name="file" />
          )}
          <span className="min-w-0 truncate">
            <bdi>{visibleText(one.name)}</bdi>
          </span>
          <span className="shrink-0 text-faint text-xs">{formatBytes(one.size)}</span>
          {onRemove && (
            <button
              type="button"
              onClick={() => onRemove(one.file_id)}
              aria-label={writingWords.remove(visibleText(one.name))}
              className="icon-button"
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </li>
      ))}
      {coming.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name.
        <li key={`${index}:${name}`} className="attachment opacity-60" aria-label={writingWords.attaching(visibleText(name))}>
          <Icon name="file" />
          <span className="min-w-0 truncate">{visibleText(name)}</span>
        </li>
      ))}
    </ul>
  )
}
