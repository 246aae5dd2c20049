// What became of an act, for acts whose place on the page has no room for it.
import { useLingui } from "@lingui/react/macro";
import { notifications } from "@mantine/notifications";
import { sentenceOf } from "@/api/problem-messages";

export function useNotice() {
  const { i18n } = useLingui();
  return {
    done: (message: string) => void notifications.show({ message }),
    failed: (error: unknown) => {
      const { title, next } = sentenceOf(error);
      notifications.show({ color: "red", title: i18n._(title), message: i18n._(next) });
    },
  };
}
