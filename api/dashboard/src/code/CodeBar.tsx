// The path as a breadcrumb. Directories end in a slash in the address.
import { Anchor, Breadcrumbs, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useScope } from "@/organizations/scope";
import classes from "./CodePage.module.css";
import { useCodeAddress } from "./use-code-address";

export function CodeBar({ repositoryName }: { repositoryName: string }) {
  const { organization } = useScope();
  const { path, repositoryId } = useCodeAddress();
  const parts = path.split("/").filter(Boolean);
  const crumbs = [
    { label: repositoryName, target: undefined as string | undefined },
    ...parts.map((label, index) => ({ label, target: `${parts.slice(0, index + 1).join("/")}/` })),
  ];
  return (
    <div className={classes.bar}>
      <Breadcrumbs separatorMargin={6}>
        {crumbs.map(({ label, target }, index) =>
          index === crumbs.length - 1 ? (
            <Text key={index} size="sm" fw={600} aria-current="page">{label}</Text>
          ) : (
            <Anchor
              key={index}
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/o/$organization/code/$repositoryId"
                  params={{ organization: organization.slug, repositoryId }}
                  search={(previous) => ({ ...previous, path: target, lines: undefined })}
                  {...props}
                />
              )}
            >
              {label}
            </Anchor>
          ),
        )}
      </Breadcrumbs>
    </div>
  );
}
