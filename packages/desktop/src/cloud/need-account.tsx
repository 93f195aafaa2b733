import { followLink } from '../address.ts'

/** Shown instead of content that needs an account. */
export function NeedAccount({ text }: { text: string }) {
  return (
    <p className="rounded-xl border border-line border-dashed p-8 text-center text-soft">
      <a href="/devices" onClick={followLink} className="text-cloud underline underline-offset-4">
        {text}
      </a>
    </p>
  )
}
