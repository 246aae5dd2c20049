import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Collapse, Group, PasswordInput, SegmentedControl, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { RepositorySource } from "@/api/types";

type Kind = RepositorySource["kind"];

interface Props {
  kind: Kind;
  onKind: (kind: Kind) => void;
  onChange: () => void;
  onCheck: (source: RepositorySource) => void;
  checking: boolean;
  disabled: boolean;
}

export function SourceForm({ kind, onKind, onChange, onCheck, checking, disabled }: Props) {
  const { t } = useLingui();
  const [withCredentials, { toggle }] = useDisclosure();
  const form = useForm({
    initialValues: { url: "", username: "", password: "", path: "" },
    onValuesChange: onChange,
    validate: {
      url: (value) => (kind === "git" && !value.trim() ? t`Enter the address of the repository` : null),
      path: (value) => (kind === "local" && !value.trim() ? t`Enter the path of the repository` : null),
    },
  });
  const submit = form.onSubmit(({ url, username, password, path }) => {
    if (kind === "local") return onCheck({ kind, path: path.trim() });
    const credentials = withCredentials ? { username: username.trim() || null, password: password || null } : {};
    onCheck({ kind, url: url.trim(), ...credentials });
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SegmentedControl
          size="xs"
          aria-label={t`Kind of source`}
          value={kind}
          onChange={(value) => onKind(value as Kind)}
          data={[
            { value: "git", label: t`Git address` },
            { value: "local", label: t`Path on the server` },
          ]}
        />
        {kind === "git" ? (
          <>
            <TextInput
              label={t`Address`}
              placeholder="https://git.example.com/team/service.git"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps("url")}
            />
            <UnstyledButton onClick={toggle} aria-expanded={withCredentials} fz="sm">
              <Group gap={4}>
                {withCredentials ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
                <Trans>The repository is private</Trans>
              </Group>
            </UnstyledButton>
            <Collapse expanded={withCredentials}>
              <Group grow align="flex-start" gap={8}>
                <TextInput label={t`User name`} autoComplete="off" {...form.getInputProps("username")} />
                <PasswordInput
                  label={t`Password or access token`}
                  description={t`Kept encrypted; never shown again.`}
                  inputWrapperOrder={["label", "input", "description", "error"]}
                  autoComplete="off"
                  visibilityToggleButtonProps={{ "aria-label": t`Show or hide the password` }}
                  {...form.getInputProps("password")}
                />
              </Group>
            </Collapse>
          </>
        ) : (
          <TextInput
            label={t`Path`}
            description={t`A git repository on the server's disk, below a directory that the configuration allows.`}
            placeholder="/srv/git/service.git"
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps("path")}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" size="sm" loading={checking} disabled={disabled}>
            <Trans>Check access</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
