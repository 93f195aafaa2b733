import { followLink } from '../address.ts'

/** Below the title of a page: the page above it. */
export function BackLink({ href, text }: { href: string; text: string }) {
  return (
    <p className="-mt-4 mb-4 text-sm">
      <a href={href} onClick={followLink} className="break-words text-cloud underline underline-offset-4">
        {text}
      </a>
    </p>
  )
}
