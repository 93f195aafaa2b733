import { followLink } from '../address.ts'
import { words } from '../strings/window.ts'

/** Where to go from a page that does not exist. */
export function NewConversationLink() {
  return (
    <a href="/" onClick={followLink} className="text-cloud underline underline-offset-4">
      {words.conversations.new}
    </a>
  )
}
