// The preview of an action on a page.
import { type CallPreview, cutText, type PageAction, previewLimits } from '@tandem/contract/run'

interface PreviewedPage {
  readonly action: PageAction
  readonly target?: string | null
  readonly value?: string | null
  readonly address: string | null
}

export function pagePreview({ action, target = null, value = null, address }: PreviewedPage): CallPreview {
  const shown = value === null ? null : cutText(value, previewLimits.text_characters)
  return {
    kind: 'page',
    action,
    target,
    value: shown?.text ?? null,
    value_truncated: shown?.cut ?? false,
    // An address can have any length; its beginning shows the site.
    address: address === null ? null : cutText(address, previewLimits.body_characters).text,
  }
}
