// repository / folder / folder / **file**
import { Text } from "@mantine/core";
import classes from "./FilePath.module.css";

export function FilePath({ repository, path }: { repository: string; path: string }) {
  const parts = path.split("/");
  const file = parts.pop();
  return (
    <Text size="sm" component="h2" className={classes.path} title={`${repository}/${path}`}>
      <span className={classes.folders}>
        {[repository, ...parts].map((part, index) => (
          <span key={index}>
            {index > 0 && <span className={classes.slash}>/</span>}
            {part}
          </span>
        ))}
      </span>
      <span className={classes.slash}>/</span>
      <span className={classes.file}>{file}</span>
    </Text>
  );
}
